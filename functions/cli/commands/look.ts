import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import { placeOf, repositoryOf } from '../context/release.ts';
import { openLasting } from '../folder/lasting-session.ts';
import { folderToRead } from '../folder/state-folder.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanFile } from '../plan-file.ts';
import { type Look, lookAtStack } from '../stack/look.ts';
import type { Surroundings } from '../surroundings.ts';
import { log } from './log.ts';
import { diffPlans, showPlan } from './plans.ts';
import { latestReceipt, receiptOfRun } from './receipt.ts';
import { runs } from './runs.ts';
import { show } from './show.ts';
import type { ScopePlace, View } from './view.ts';
import { words } from './words.ts';

export type LookCommand = 'show' | 'diff' | 'receipt' | 'runs' | 'log' | 'words';

/** `show`, `diff`, `receipt`, `runs`, `log`, `words`: read what is recorded, in a folder that nobody uses or beside the command that does. */
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
  if (command === 'words') return words(view);
  if (command === 'diff') return diffPlans(view);
  if (view.digest !== undefined) return showPlan(view);
  if (place === undefined || run !== undefined) return receiptOfRun(view);
  return command === 'show' ? show(store, place, view.typed, view.declared) : latestReceipt(store, place, view.typed);
}
