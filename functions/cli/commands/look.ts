import type { Repository } from '../../../shared/ports/code-host.ts';
import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import { type Place, placeOf, repositoryOf } from '../context/release.ts';
import { openLasting } from '../folder/lasting-session.ts';
import { folderToRead } from '../folder/state-folder.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanFile } from '../plan-file.ts';
import { type Look, lookAtStack } from '../stack/look.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Typed } from '../typed.ts';
import { log } from './log.ts';
import { diffPlans, showPlan } from './plans.ts';
import { latestReceipt, receiptOfRun } from './receipt.ts';
import { runs } from './runs.ts';
import { show } from './show.ts';

/** What a command that only reads looks at. */
export interface View {
  readonly store: Store;
  readonly repository: Repository;
  /** The run it was asked about: an id, or its beginning. */
  readonly run: string | undefined;
  /** The plans it was asked about: digests, or their beginnings. */
  readonly digest?: string | undefined;
  readonly other?: string | undefined;
  /** The flags by which what is printed finds the same state. */
  readonly typed: Typed;
  /** The environments that the plan file at hand knows; absent where there is none to ask. */
  readonly declared?: readonly string[];
  /** The scope it is about; only known where it is needed. */
  readonly place?: ScopePlace;
}

export interface ScopePlace extends Place {
  /** Name of the plan. */
  readonly plan: string;
  /** The scope as a key, and as a path in the bucket. */
  readonly key: string;
  readonly path: string;
}

export type LookCommand = 'show' | 'diff' | 'receipt' | 'runs' | 'log';

/** `show`, `diff`, `receipt`, `runs`, `log`: read what is recorded, in a folder that nobody uses or beside the command that does. */
export const lookCommand = (invocation: Invocation & { command: LookCommand }, surroundings: Surroundings): Promise<Answer> =>
  atSight(invocation, surroundings, { isAboutScope: isAboutScope(invocation), look: (view) => look(invocation.command, view) });

/** Opens what is recorded, here or in a stack, has it looked at, and closes it. */
export async function atSight<T>(invocation: Invocation, surroundings: Surroundings, { isAboutScope, look }: Look<T>): Promise<T> {
  const { cwd, console } = surroundings;
  const declared = declaredIn(cwd, invocation.plan);
  if (invocation.stack !== undefined)
    return lookAtStack(invocation, invocation.stack, surroundings, { isAboutScope, look: (view) => look({ ...view, ...declared }) });
  const { command, stateDir, sim, run, digest, other } = invocation;
  const place = isAboutScope ? await scopePlaceOf(invocation, surroundings) : undefined;
  const { repository, folder } = place ?? (await repositoryOf(cwd));
  const { folder: state, leave } = folderToRead(cwd, stateDir, sim);
  const sessions = await openLasting({
    folder: state,
    command: `lockkeeper ${command}`,
    purpose: 'look',
    sim,
    gitFolder: folder,
    note: console.note,
    log: surroundings.log,
  }).catch((error: unknown) => {
    leave();
    throw error;
  });
  try {
    return await look({
      store: sessions.current().store,
      repository,
      run,
      digest,
      other,
      typed: invocation,
      ...declared,
      ...(place ? { place } : {}),
    });
  } finally {
    await sessions.close();
    leave();
  }
}

/** What the plan file of a folder says of environments; nothing where it cannot be read, which is not what was asked. */
export function declaredIn(cwd: string, path: string): { declared?: readonly string[] } {
  try {
    return { declared: readPlanFile(cwd, path).plan.environments };
  } catch {
    return {};
  }
}

/** A run or a plan that is named says itself where it belongs. */
const isAboutScope = ({ command, run, digest }: Invocation): boolean =>
  (command === 'show' && digest === undefined) || (command === 'receipt' && run === undefined);

async function scopePlaceOf(invocation: Invocation, { cwd, environment }: Surroundings): Promise<ScopePlace> {
  const place = await placeOf(invocation, environment, cwd);
  const address: ScopeAddress = { repository: place.repository.id, plan: 'main', environment: place.environment, scope: place.scope };
  return { ...place, plan: address.plan, key: scopeKey(address), path: scopePath(address) };
}

/** What one of these commands answers. `show` and `receipt` without a run need the place. */
export function look(command: LookCommand, view: View): Promise<Answer> {
  const { store, place, run } = view;
  if (command === 'runs') return runs(view);
  if (command === 'log') return log(view);
  if (command === 'diff') return diffPlans(view);
  if (view.digest !== undefined) return showPlan(view);
  if (place === undefined || run !== undefined) return receiptOfRun(view);
  return command === 'show' ? show(store, place, view.typed, view.declared) : latestReceipt(store, place, view.typed);
}
