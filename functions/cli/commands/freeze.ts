import { userInfo } from 'node:os';
import type { Freeze } from '../../../shared/freeze/freeze.ts';
import { longestFreezeDays } from '../../../shared/freeze/freeze.ts';
import { freezeText, frozen } from '../../../shared/freeze/frozen.ts';
import { type Said, sayFreeze } from '../../../shared/freeze/say-freeze.ts';
import { gitCodeHost } from '../../../shared/platform/git/code-host.ts';
import { untilOf } from '../../../shared/rulings/until.ts';
import { loadPolicy } from '../../../shared/run/load-policy.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { FreezeCommand, Invocation } from '../invocation.ts';
import { answeredRuns } from '../runs/answered-runs.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import type { Surroundings } from '../surroundings.ts';

/** `freeze`, `unfreeze`: says it as the user of this machine, of the runs of this folder. */
export async function freezeCommand(invocation: Invocation & { command: FreezeCommand }, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  const environment = invocation.env ?? '';
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const { store } = sessions.current();
    const policy = await loadPolicy({ codeHost: gitCodeHost(folder) }, repository);
    const now = store.clock.now();
    const said = freezeSaid(invocation, now, surroundings.redactor.mask);
    const word = { by: { name: userInfo().username, through: 'machine' as const }, start: store.ids.fresh(), at: new Date(now).toISOString() };
    const patience = { progress: console.progress, signal };
    const answered = await answeredRuns(store, repository.id);
    // Before anything that was left goes on: a freeze is there to keep it.
    const made = await sayFreeze(store, { policy, repository, environment }, said, word);
    await finishLeftRuns(sessions, patience, console.note);
    for (const run of answered) {
      if (await frozen(store, run)) continue;
      // Beside another command, whose stack stops when nobody waits: what was answered and kept goes on before.
      const { outcome, phase } = await restOf(sessions, run.id, patience, run.question?.q);
      console.note(`Run ${run.id.slice(0, 12)}, approved while it was frozen, is ${outcome ?? phase}.`);
    }
    return freezeAnswer(environment, made);
  });
}

/**
 * What was typed, judged before anything is asked for.
 *
 * @param mask takes secrets of this machine out of the reason: everybody reads it. @throws LockkeeperError USAGE for an end that is none.
 */
export function freezeSaid(
  { command, until = '', reason = '' }: Pick<Invocation, 'command' | 'until' | 'reason'>,
  now: number,
  mask: (text: string) => string = (text) => text,
): Said {
  if (command === 'unfreeze') return 'thaw';
  return { until: untilOf(until, now, longestFreezeDays), reason: mask(reason) };
}

export const freezeAnswer = (environment: string, made: Freeze | undefined): Answer => ({
  exit: 0,
  document: { environment, frozen: made ?? null },
  text: () =>
    made ? `${plain(freezeText(made))} Nothing new is applied there until then; plans and questions go on.\n` : `${plain(environment)} is not frozen.\n`,
});
