import type { Entry } from '../../shared/ledger/entry.ts';
import { identityHash } from '../../shared/ledger/identity.ts';
import type { Workbench } from './workbench.ts';

/** The scope and line whose claim on a thing stands over an entry of theirs, as `scope line`: its owners. */
export function ownersOf(bench: Workbench, name: string): string[] {
  const items = bench.memory.items();
  const entries = items.filter((item) => item.sk.startsWith('LEDGER#')).flatMap((item) => (item['entries'] as Entry[]).map((entry) => ({ item, entry })));
  const owning = entries.filter(({ item, entry }) => {
    const claim = items.find((one) => one.pk === `CLAIM#${identityHash(entry)}`);
    return entry.key === `thing:${name}` && `SCOPE#${claim?.['scope']}` === item.pk && claim?.['line'] === item['line'];
  });
  return owning.map(({ item }) => `${item.pk.split('#').at(-1)} ${item['line']}`);
}

/**
 * Looks after every write to the table: each of these things has exactly one owner, whatever falls when (R1.97). Returns what ends the watch.
 *
 * @param wrong told of what is broken; by default it is thrown.
 */
export function watchOwners(bench: Workbench, names: readonly string[], wrong: (sentence: string) => void = thrown): () => void {
  const { write } = bench.memory.table;
  bench.memory.table.write = async (...given) => {
    const answer = await write.apply(bench.memory.table, given);
    for (const name of names) {
      const owners = ownersOf(bench, name);
      if (owners.length !== 1) wrong(`R1.97: ${name} is owned by ${owners.join(' and ') || 'nobody'}`);
    }
    return answer;
  };
  return () => {
    bench.memory.table.write = write;
  };
}

function thrown(sentence: string): never {
  throw new Error(sentence);
}
