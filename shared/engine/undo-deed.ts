import type { Entry, LedgerLine } from '../ledger/entry.ts';
import type { LineResult } from '../run/items.ts';
import { undoKey } from './action.ts';
import type { Holding } from './intents.ts';
import { fingerprintOfStep, isAbout, readConfirmation } from './step.ts';
import { confirmCommand } from './ways-on.ts';

/** What taking a deed back came to: something was undone, a person has to do it, or there was nothing to undo. */
export interface TakenBack {
  /** What was undone, for people. */
  readonly undone?: string;
  readonly waitsFor?: NonNullable<LineResult['manual']>;
}

/**
 * Takes a deed back before it is forgotten: a step with `undo` when a person has confirmed exactly that (R1.71), an action with `undo` by
 * sending it, at least once (R1.56). Neither is anything at a provider that could be looked up.
 */
export async function takeBack(holding: Holding & { readonly ledger: LedgerLine }, entry: Entry): Promise<TakenBack> {
  if (entry.manual?.undo !== undefined) return undoStep(holding, entry, entry.manual.title, entry.manual.undo);
  if (entry.action?.undo === undefined) return {};
  const { op, call } = await holding.callOf(entry);
  await op.action?.sendUndo(entry.action.undo, call, undoKey(holding.scope, entry));
  return { undone: entry.label };
}

async function undoStep({ world, scope, run, ledger }: Holding, entry: Entry, title: string, instructions: string): Promise<TakenBack> {
  const shown = fingerprintOfStep(world, 'undo', title, instructions);
  const word = await readConfirmation(world, scope, run.id, ledger.line);
  if (word && isAbout(word, shown)) return { undone: `${entry.label}, as ${word.by.name} confirmed` };
  return { waitsFor: { title, action: 'undo', instructions, observable: false, confirm: confirmCommand(ledger.line, run), shown } };
}
