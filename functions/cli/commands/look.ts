import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import { type Place, placeOf } from '../context/release.ts';
import { openLasting } from '../folder/lasting-session.ts';
import { stateFolder } from '../folder/state-folder.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation } from '../invocation.ts';
import { lookAtStack } from '../stack/look.ts';
import type { Surroundings } from '../surroundings.ts';
import { log } from './log.ts';
import { receipt } from './receipt.ts';
import { runs } from './runs.ts';
import { show } from './show.ts';

/** What a command that only reads looks at. */
export interface View {
  readonly store: Store;
  readonly place: Place;
  /** The scope as a key, and as a path in the bucket. */
  readonly scope: string;
  readonly path: string;
  /** The run it was asked about: an id, or its beginning. */
  readonly run: string | undefined;
}

const looks = { show, receipt, runs, log } satisfies Record<string, (view: View) => Promise<Answer>>;

export type LookCommand = keyof typeof looks;

/** `show`, `receipt`, `runs`, `log`: read what is recorded, in a folder that nobody uses or beside the command that does. */
export async function lookCommand(invocation: Invocation & { command: LookCommand }, surroundings: Surroundings): Promise<Answer> {
  const { cwd, environment, console } = surroundings;
  if (invocation.stack !== undefined) return lookAtStack(invocation, invocation.stack, surroundings, looks[invocation.command]);
  const { command, stateDir, sim, run } = invocation;
  const place = await placeOf(invocation, environment, cwd);
  const sessions = await openLasting({
    folder: stateFolder(cwd, stateDir, sim),
    command: `lockkeeper ${command}`,
    purpose: 'look',
    sim,
    gitFolder: place.folder,
    secrets: [],
    note: console.note,
    log: surroundings.log,
  });
  try {
    const address: ScopeAddress = { repository: place.repository.id, plan: 'main', environment: place.environment, scope: place.scope };
    return await looks[command]({ store: sessions.current().store, place, scope: scopeKey(address), path: scopePath(address), run });
  } finally {
    await sessions.close();
  }
}
