/** A repository's dashboard on the workbench: a row as a scan would leave it, and ticks of it. */
import { putPolicy } from '../../test/ports/people.ts';
import { stackKeys } from '../../test/ports/stack-keys.ts';
import { commitOf, planOf, planPath, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { Effect } from '../approvals/effect.ts';
import { type LineEffects, storeEffects } from '../approvals/effects-document.ts';
import { boxId } from '../dashboard/box.ts';
import { type Tick, tickOf } from '../dashboard/tick.ts';
import { hashOfValue } from '../engine/value.ts';
import { policyPath } from '../policy/policy-file.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { always } from '../table/condition.ts';
import { dashboardPartition, issueKey, rowKey, tickKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { RowBox } from './ticked.ts';

const of = (value: string) => fingerprint(stackKeys.fingerprint, hashOfValue(value));

/** What writing a thing would do, as a scan stores it. Without a value before it is made. */
export const effectOn = (name: string, after: string, before?: string): Effect => ({
  address: JSON.stringify(['example', [['place', 'here']], `thing:${name}`]),
  action: before === undefined ? 'create' : 'update',
  paths: [{ path: 'value', ...(before === undefined ? {} : { before: of(before) }), after: of(after) }],
  ...(before === undefined ? {} : { before: of(before) }),
  after: of(after),
  waitsFor: [],
});

const writerOf = (bench: Workbench) => ({ table: bench.memory.table, ids: bench.world().ids });

/** The default branch at a commit with this plan and policy, and nothing told to anybody. */
export function onMain(bench: Workbench, commit: string, changes: readonly object[], policy: object = { events: { push: ['preview'] } }): void {
  putPolicy(bench, JSON.stringify({ version: 1, ...policy }));
  bench.code.commit(commitOf(commit), planPath, planOf(changes));
  bench.code.commit(commitOf(commit), policyPath, JSON.stringify({ version: 1, ...policy }));
  bench.code.tips.set('main', commitOf(commit));
  bench.code.people.set('kim', 'write').set('robin', 'write').set('sam', 'read');
}

/** Applies the default branch's plan in its scope, as a push would. */
export async function released(bench: Workbench, commit: string, environment = 'preview'): Promise<void> {
  await bench.command({ intent: 'follow', commit, environment, scope: 'main', branch: 'main' });
  await bench.quiet();
}

export interface ShownBox {
  readonly box: RowBox;
  readonly digest: string;
  readonly run: string;
  readonly environment: string;
}

/** A row with one of its boxes, or both. Each as a marker would name it. */
export async function showRow(
  bench: Workbench,
  shown: { readonly pending?: LineEffects; readonly drift?: LineEffects },
  environment = 'preview',
): Promise<Readonly<Record<RowBox, ShownBox>>> {
  const source = { run: `scan ${bench.clock.now()}`, commit: commitOf('seen'), asOf: { fence: 1, at: new Date(bench.clock.now()).toISOString() } };
  const { objects } = bench.bucket;
  const pending = shown.pending && { ...source, digest: await storeEffects(objects, shown.pending), counts: {}, changes: [] };
  const drift = shown.drift && { ...source, digest: await storeEffects(objects, shown.drift), counts: {}, resources: [] };
  const row = { format: 1, repository: repository.id, plan: 'main', environment, ...(pending && { pending }), ...(drift && { drift }), seen: source };
  await write(writerOf(bench), rowKey(repository.id, 'main', environment), (version) => ({ put: { ...row, version } }), always);
  await write(writerOf(bench), issueKey(repository.id), { put: { format: 1, repository, number: 1 } }, always);
  const boxOf = (box: RowBox, digest = ''): ShownBox => ({ box, digest, run: source.run, environment });
  return { apply: boxOf('apply', pending?.digest), repair: boxOf('repair', drift?.digest) };
}

/** Somebody ticks a box, and the stack hears of it. Returns the tick's sort key. */
export async function ticks(
  bench: Workbench,
  shown: ShownBox,
  by: { readonly login: string; readonly type?: string } = { login: 'kim' },
  more: Partial<Tick> = {},
): Promise<string> {
  const marker = { box: shown.box, plan: 'main', environment: shown.environment, digest: shown.digest, run: shown.run, no: 0, ...more };
  const key = tickKey(repository.id, boxId(marker));
  const at = new Date(bench.clock.now()).toISOString();
  const put = { format: 1, repository: repository.id, by: { type: 'User', ...by }, at, state: 'asked', ...marker };
  await write(writerOf(bench), key, (version) => ({ put: { ...put, version } }), always);
  await tellOf(bench, key.sk);
  return key.sk;
}

export const tellOf = (bench: Workbench, sk: string): Promise<void> =>
  bench.queues.queues.control({ format: 5, look: 'dashboard', tick: sk, group: repository.id });

export async function tickAs(bench: Workbench, sk: string): Promise<Tick> {
  const item = await bench.memory.table.get({ pk: dashboardPartition(repository.id), sk });
  if (!item) throw new Error(`there is no tick ${sk}`);
  return tickOf(item);
}
