/** The workbench with a repository whose environment `preview` is scanned for drift, without a dashboard, and a release of two lines in it. */

import type { Run } from '../../shared/run/items.ts';
import { askForScans } from '../../shared/scans/ask-for-scans.ts';
import { commitOf, repository, type Workbench } from './workbench.ts';

export const scanned = {
  version: 1,
  dashboard: { enabled: false },
  events: { push: ['preview'] },
  environments: { preview: { drift: { enabled: true, schedule: '1h' } } },
};
export const hour = 3_600_000;
export const quarter = 900_000;

/** `lockkeeper.yaml` as it lies in a commit. */
export const policyAt = (bench: Workbench, commit: string, policy: object = scanned): void =>
  bench.code.commit(commitOf(commit), 'lockkeeper.yaml', JSON.stringify(policy));

/** Pushes a commit with the policy, and has its run done. */
export async function released(bench: Workbench, commit = 'c1', policy: object = scanned, value = 'one'): Promise<void> {
  bench.code.history.push(commitOf(commit));
  policyAt(bench, commit, policy);
  await bench.push(commit, [
    { id: 'a', things: { a: value } },
    { id: 'b', things: { b: value }, depends_on: ['a'] },
  ]);
  await bench.quiet();
}

/** The schedule fires, at a time that it was to, and is heard of no more when it dies. */
export async function fire(bench: Workbench, at = bench.clock.now()): Promise<void> {
  await askForScans(bench.world(), at).catch(() => undefined);
  await bench.quiet();
}

/** Every scan there is, oldest first. */
export const scans = (bench: Workbench): Run[] =>
  (bench.memory.items().filter((item) => item['item'] === 'run' && item['intent'] === 'drift') as unknown as Run[]).toSorted((a, b) =>
    a.startedAt < b.startedAt ? -1 : 1,
  );

/** What is kept of a kind of item, by the end of its sort key. */
export const itemsOf = (bench: Workbench, sk: string) => bench.memory.items().filter((item) => item.sk.startsWith(sk));

export const scanItem = (bench: Workbench) => bench.memory.peek(`ENV#${repository.id}#preview`, 'SCAN');

/** How often new drift was announced, by the id of the announcement. */
export const announced = (bench: Workbench): unknown[] =>
  bench.logged.filter(({ level, message }) => level === 'bus' && message === 'drift.found').map(({ fields }) => fields?.['id']);
