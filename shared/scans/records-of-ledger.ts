import { resourceAddress } from '../drift/address.ts';
import type { DriftFields, DriftRecord } from '../drift/record.ts';
import { type Entry, isIntent, isOrphan, type LedgerLine } from '../ledger/entry.ts';
import { recordingOf } from './own-record.ts';

/** What the ledger of a scope says, and which lines the plan declares. */
export interface Recorded {
  readonly plan: string;
  readonly ledger: readonly Pick<LedgerLine, 'line' | 'entries'>[];
  /** Of the environment, with the op of each. */
  readonly declared: readonly { readonly id: string; readonly adapter: string; readonly op: string }[];
  /** RFC 3339. */
  readonly observedAt: string;
}

/**
 * What is recorded of a plan's resources, without a look at any provider (read `state`): what the ledger holds is `recorded`, whatever became of
 * it since, and a line that it holds nothing of is `pending` (R3.9, R3.19). Pure.
 */
export function recordsOfLedger({ plan, ledger, declared, observedAt }: Recorded): DriftRecord[] {
  const record = recordingOf(plan, 'state', observedAt);
  const holding = new Set(ledger.flatMap(({ line, entries }) => (entries.length > 0 ? [line] : [])));
  return [
    ...ledger.flatMap(({ line, entries }) =>
      entries.map((entry) => record(resourceAddress(line, entry.key), `${entry.adapter}.${entry.op}`, entrySaid(entry))),
    ),
    ...declared.filter(({ id }) => !holding.has(id)).map(({ id, adapter, op }) => record(id, `${adapter}.${op}`, { status: 'pending' })),
  ];
}

/** What was begun and never recorded may be there or not. */
function entrySaid(entry: Entry): Pick<DriftFields, 'status'> & Partial<DriftFields> {
  if (isIntent(entry))
    return { status: 'not-observed', unobserved: { reason: 'in-motion', detail: 'Its creation was begun, and what came of it is not recorded.' } };
  return { status: 'recorded', ownership: { verdict: 'owned', by: 'record' }, ...(isOrphan(entry) ? { evidence: { engineCode: 'orphan' } } : {}) };
}
