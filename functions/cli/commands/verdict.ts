import { userInfo } from 'node:os';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Invocation, VerdictCommand } from '../invocation.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { answered, answerOfVerdict } from './answered.ts';

/** `approve`, `reject`: answers a question as the user of this machine, lets its run go on, and shows how it rests. */
export async function verdictCommand(invocation: Invocation & { command: VerdictCommand }, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const patience = { progress: surroundings.console.progress, signal: surroundings.signal };
    // Whoever has approved may still reject: their own question must not go on before that is heard.
    await finishLeftRuns(sessions, patience, surroundings.console.note, invocation.digest);
    const answer = { verdict: invocation.command, person: { name: userInfo().username, through: 'machine' as const } };
    const { run, q } = await answered(sessions.current().store, repository.id, invocation.digest ?? '', answer, surroundings.console.note);
    const rested = await restOf(sessions, run.id, patience, q);
    return answerOfVerdict(invocation.command, await reportOfRun(sessions.current().store, rested), invocation);
  });
}
