/** What a job of a stack came to, as its line stores and shows it. */

import type { DriftFields } from '../drift/record.ts';
import { identityHash } from '../ledger/identity.ts';
import type { LineResult, NamedResource, StackResult } from '../run/items.ts';
import type { DriftItem } from '../run/report.ts';
import type { World } from '../run/world.ts';
import { keepForPeople, wordsPrefix } from '../stacks/kept-object.ts';
import type { SealedObject, ToolOutcome } from '../stacks/tool-work.ts';
import { inStack } from './stack-effects.ts';
import { type StackInHand, stackLabel, whereToolsRun } from './stack-job.ts';

/** What stands in every result of a stack. */
export async function stackResult(
  world: World,
  at: { readonly run: string; readonly line: string },
  { identity }: Pick<StackInHand, 'identity'>,
  outcome: Pick<ToolOutcome, 'words'> | undefined,
  more: Pick<StackResult, 'saved' | 'version'> = {},
): Promise<Pick<LineResult, 'stack'>> {
  const words = outcome === undefined || outcome.words === '' ? undefined : await keepWords(world, at, outcome.words);
  return { stack: { key: identity.key, ...more, ...(words ? { words } : {}) } };
}

/** The tool's own words go where a person with access reads them, and nowhere else. */
const keepWords = (world: World, { run, line }: { readonly run: string; readonly line: string }, words: string): Promise<SealedObject> =>
  keepForPeople(whereToolsRun(world), `${wordsPrefix}${run}/${line}/`, world.ids.fresh(), Buffer.from(world.redactor.mask(words)));

/** The stack itself, to be held against what other lines name. */
export const stackNames = ({ identity, stack }: StackInHand, writes: boolean, owns: boolean): readonly NamedResource[] => [
  { identity: identityHash(identity), label: stackLabel(stack), ...(writes ? { writes: true } : {}), ...(owns ? { owns: true } : {}) },
];

/** What of a stack is not as its state has it, beside what its plan would do. */
export function stackDrift(
  line: { readonly id: string; readonly adapter: string; readonly op: string },
  stack: string,
  found: readonly DriftFields[],
): DriftItem[] {
  return found.flatMap(({ address, status }): DriftItem[] => {
    const kind = status === 'drifted' ? 'changed' : status === 'missing' ? 'missing' : undefined;
    if (kind === undefined) return [];
    const message = kind === 'changed' ? `${address} was edited outside.` : `${address} is gone.`;
    return [{ kind, adapter: line.adapter, op: line.op, line: line.id, resource: { key: inStack(stack, address), label: address }, message }];
  });
}
