import { userInfo } from 'node:os';
import { systemClock } from '../../../shared/platform/clock.ts';
import { confirmStep, findStep } from '../../../shared/rulings/confirm-line.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import { releaseOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Invocation } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { planName } from './run.ts';
import { runAnswer } from './run-answer.ts';

/**
 * `confirm`: says as the user of this machine that what a run showed has been done, lets the run go on, and shows how it rests. Said of a
 * step that is recorded already, it changes nothing and says so.
 *
 * @throws LockkeeperError USAGE for a line that is no manual step, or that no run has asked for.
 */
export async function confirmCommand(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { cwd, environment, console, signal } = surroundings;
  const release = await releaseOf(invocation, environment, cwd);
  const scope = scopeKey({ repository: release.repository.id, plan: planName, environment: release.environment, scope: release.scope });
  const line = invocation.line ?? '';
  return atWork(invocation, release.folder, surroundings, async (sessions) => {
    const patience = { progress: console.progress, signal };
    await finishLeftRuns(sessions, patience, console.note);
    const { store } = sessions.current();
    const found = await findStep(store, scope, line);
    if ('done' in found) {
      const how = found.done.how === 'confirmed' ? `as ${found.done.by ?? 'somebody'} confirmed` : 'as it was seen';
      console.note(`Line ${line} has been done, ${how} at ${utc(found.done.at)}: this confirmation changes nothing.`);
    } else {
      const by = { name: userInfo().username, through: 'machine' } as const;
      await confirmStep(store, scope, found, { by, start: store.ids.fresh(), at: new Date(systemClock.now()).toISOString() });
    }
    const id = 'done' in found ? found.run : found.run.id;
    const rested = await restOf(sessions, id, patience);
    return runAnswer(await reportOfRun(sessions.current().store, rested), invocation);
  });
}
