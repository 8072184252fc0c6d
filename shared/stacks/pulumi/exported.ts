import { isMap, type Json, same } from '../../drift/readers/json.ts';
import { isThere, itemsIn, under, whole } from '../../drift/readers/place.ts';
import { urnParts } from '../../drift/urn.ts';
import { rootType } from './change.ts';
import type { PulumiStep } from './event.ts';
import { type Folded, folded } from './fold.ts';
import { cameTrue, type PulumiState, stateAt } from './state.ts';

/** What `pulumi stack export` says of a stack: what it records, and what it does not know to have ended. */
export interface Exported {
  readonly resources: readonly PulumiState[];
  /** URNs of operations that had begun when an update was cut off. */
  readonly pending: ReadonlySet<string>;
}

/** @throws UnreadableError */
export function exportedState(document: Json): Exported {
  const deployment = under(whole(document), 'deployment');
  if (!isThere(deployment)) return { resources: [], pending: new Set() };
  const pending = itemsIn(under(deployment, 'pending_operations')).map((one) => {
    const resource = under(one, 'resource').value;
    return isMap(resource) ? String(resource['urn']) : '';
  });
  return { resources: itemsIn(under(deployment, 'resources')).flatMap((one) => stateAt(one) ?? []), pending: new Set(pending) };
}

/** What is managed, by URN: all but the stack itself and its providers, which are nothing outside. */
export const managedIn = ({ resources }: Exported): string[] => [
  ...new Set(resources.filter(({ urn, leftBehind }) => !leftBehind && isManaged(urn)).map(({ urn }) => urn)),
];

function isManaged(urn: string): boolean {
  const type = urnParts(urn)?.type;
  return type !== undefined && type !== rootType && !type.startsWith('pulumi:providers:');
}

/** What of a plan is done, and what is not. */
export interface DoneAndNot {
  readonly done: readonly string[];
  readonly notDone: readonly string[];
}

/**
 * What an update that broke off has done of what was foretold, by what it said and by what the state holds now.
 *
 * @param state absent where it could not be read: then what the update said is all there is.
 */
export function doneOf(foretold: readonly PulumiStep[], ended: readonly PulumiStep[], state: Exported | undefined): DoneAndNot {
  const changes = folded(foretold).filter(({ step, actions }) => step.type !== rootType && actions.some((action) => action !== 'read' && action !== 'none'));
  const isDone = (one: Folded): boolean => {
    const told = saysDone(one, ended);
    return state === undefined ? told : showsDone(one, state, told);
  };
  const done = changes.filter(isDone).map(({ address }) => address);
  return { done, notDone: changes.map(({ address }) => address).filter((address) => !done.includes(address)) };
}

function saysDone({ address, actions }: Folded, ended: readonly PulumiStep[]): boolean {
  const found = tolerant(ended.filter((step) => address === step.urn || address.startsWith(`${step.urn} (`))).find((one) => one.address === address);
  return found !== undefined && found.actions.join() === actions.join();
}

/** Half a replacement is no change that can be folded: it is not done. */
function tolerant(steps: readonly PulumiStep[]): Folded[] {
  try {
    return folded(steps);
  } catch {
    return [];
  }
}

function showsDone({ actions, step }: Folded, { resources, pending }: Exported, told: boolean): boolean {
  if (pending.has(step.urn)) return false;
  const all = resources.filter(({ urn }) => urn === step.urn);
  const removed = step.old;
  const makes = actions.some((action) => action === 'create' || action === 'update' || action === 'import');
  if (!makes) return !all.some(({ id }) => removed === undefined || id === removed.id);
  const now = all.find(({ leftBehind }) => !leftBehind);
  if (now === undefined || all.some(({ leftBehind }) => leftBehind)) return false;
  const reached = cameTrue(step.now?.inputs, now.inputs);
  const moved = removed === undefined || !same(removed.inputs, now.inputs) || !same(removed.outputs, now.outputs);
  return reached && (told || moved);
}
