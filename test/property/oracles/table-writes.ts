import type { MemoryTable } from '../../ports/memory-table.ts';

export type Write = MemoryTable['writes'][number];

/** What a write sets an attribute to; undefined where it says nothing of it. */
export function setTo(write: Write, attribute: string): unknown {
  if ('put' in write.change) return write.change.put[attribute];
  return 'set' in write.change ? write.change.set?.[attribute] : undefined;
}

/** The run that a write of a ledger line's content was made for. */
export const lastRunOf = (write: Write): string | undefined => setTo(write, 'lastRun') as string | undefined;
