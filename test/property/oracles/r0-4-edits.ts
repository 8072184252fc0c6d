import { createHash } from 'node:crypto';
import { fingerprint } from '../../../shared/secrets/fingerprint.ts';
import type { Sent } from '../house.ts';
import type { Seen } from '../stage.ts';

/**
 * R0.4: what somebody made of a thing is written over only where a person has said so: by reconciling, or by approving what an adoption
 * changes. Told by what the ledger had of it when the write left: the state that was last recorded, or one that a write of ours foretold.
 */
export function editsOverwritten(stage: Seen): string[] {
  const { fingerprint: key } = stage.bench.world().keys;
  const known = (one: Sent): boolean => {
    const { entry, from } = one;
    // Not recorded yet, or our own last word: there is nothing that it differs from.
    if (entry?.createdBy === 'intent' || from === lastSent(stage, one)?.value) return true;
    const found = fingerprint(
      key,
      createHash('sha256')
        .update(from ?? '')
        .digest('hex'),
    ).mac;
    return [entry?.fingerprint, entry?.foretells, entry?.original?.of].some((one) => one?.mac === found);
  };
  const overwritten = stage.sent.filter((one) => one.method === 'PATCH' && one.done && one.run.kind === 'apply' && !one.run.options.reconcile && !known(one));
  return overwritten.map((one) => `R0.4: run ${one.run.id} wrote ${one.name}=${one.value} over ${one.from}, which nobody had recorded`);
}

const lastSent = ({ sent }: Seen, one: Sent): Sent | undefined => sent.slice(0, sent.indexOf(one)).findLast(({ id, done }) => id === one.id && done);
