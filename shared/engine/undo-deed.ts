import type { Effect } from '../approvals/effect.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import type { LineResult } from '../run/items.ts';
import { undoKey } from './action.ts';
import type { Holding } from './intents.ts';
import { undoRequest } from './removal-effects.ts';
import { fingerprintOfStep, isAbout, readConfirmation } from './step.ts';
import { confirmCommand } from './ways-on.ts';

/** What taking a deed back came to: something was undone, a person has to do it, or there was nothing to undo. */
export interface TakenBack {
  /** What was undone, for people. */
  readonly undone?: string;
  readonly waitsFor?: NonNullable<LineResult['manual']>;
  /** It is not among what people approved: nothing was sent. */
  readonly moved?: true;
}

/**
 * Takes a deed back before it is forgotten: a step with `undo` when a person has confirmed exactly that (R1.71), an action with `undo` by
 * sending it, at least once (R1.56). Neither is anything at a provider that could be looked up.
 */
export async function takeBack(
  holding: Holding & { readonly ledger: LedgerLine },
  entry: Entry,
  mayWrite: (effect: Effect) => boolean = () => true,
): Promise<TakenBack> {
  if (entry.manual?.undo !== undefined) return undoStep(holding, entry, entry.manual.title, entry.manual.undo);
  if (entry.action?.undo === undefined) return {};
  if (!mayWrite(undoRequest(holding.world, entry))) return { moved: true };
  const { op, call } = await holding.callOf(entry);
  await op.action?.sendUndo(entry.action.undo, call, undoKey(holding.scope, entry));
  return { undone: entry.label };
}

async function undoStep({ world, scope, run, ledger }: Holding, entry: Entry, title: string, instructions: string): Promise<TakenBack> {
  const todo = undoTodo(world, run, ledger.line, title, instructions);
  const word = await readConfirmation(world, scope, run.id, ledger.line);
  return word && isAbout(word, todo.shown) ? { undone: `${entry.label}, as ${word.by.name} confirmed` } : { waitsFor: todo };
}

/** What a person has to undo before a step is forgotten, as it is shown to them. */
export function undoTodo(world: Holding['world'], run: Holding['run'], line: string, title: string, instructions: string): NonNullable<LineResult['manual']> {
  const shown = fingerprintOfStep(world, 'undo', title, instructions);
  return { title, action: 'undo', instructions, observable: false, confirm: confirmCommand(line, run), shown };
}
