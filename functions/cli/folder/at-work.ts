import { join } from 'node:path';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LastingSession, openLasting } from './lasting-session.ts';
import { stateFolder } from './state-folder.ts';

/**
 * Performs a command that sets something going, on the stack of its state folder. The folder is given back however it ends.
 *
 * @param gitFolder folder of the git repository.
 */
export async function atWork<T = Answer>(
  invocation: Invocation,
  gitFolder: string,
  { cwd, console, log }: Surroundings,
  perform: (sessions: LastingSession) => Promise<T>,
): Promise<T> {
  const { stateDir, sim, command, concurrency } = invocation;
  console.progress.show(`Starting the embedded stack in ${sim ? join(stateDir, 'sim') : stateDir}`);
  const sessions = await openLasting({
    folder: stateFolder(cwd, stateDir, sim),
    command: `lockkeeper ${command}`,
    purpose: 'work',
    sim,
    gitFolder,
    note: console.note,
    log,
    ...(concurrency === undefined ? {} : { concurrency }),
  });
  try {
    const answer = await perform(sessions);
    console.progress.clear();
    await sessions.close();
    return answer;
  } catch (error) {
    console.progress.clear();
    await sessions.abandon();
    throw error;
  }
}
