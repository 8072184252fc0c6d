import { readFreeze } from '../freeze/freeze.ts';
import { runsFor } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { scansAtWork } from '../run/latest-runs.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import type { DashboardFacts } from '../surfaces/dashboard/facts.ts';
import { equal } from '../table/condition.ts';
import { rowKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { answeredIn } from './answered.ts';
import { rescanDigest, rescanRun } from './box.ts';
import { readRows } from './change-row.ts';
import { boxMarker } from './marker.ts';
import type { Row } from './row.ts';
import { isStanding, type Tick } from './tick.ts';

/** All that the body is made of, as it stands in the table now. */
export async function gather(world: ControlWorld, repository: Repository, policy: Policy, ticks: readonly Tick[]): Promise<DashboardFacts> {
  const rows = await rowsNow(world, repository, policy);
  const lookedFor = ticks.filter(({ box, state }) => box === 'rescan' && state === 'done').reduce<Tick | undefined>(newer, undefined);
  return {
    rows,
    ticked: new Map(ticks.filter(isStanding).map((tick) => [boxMarker(tick), tick.by ? { by: tick.by.login } : {}])),
    answered: answeredIn(ticks),
    previews: await openPreviews(world, repository),
    looking: (await scansAtWork(world, repository.id)).filter(({ board }) => board).map(({ plan, environment }) => ({ plan: plan.name, environment })),
    freezes: await freezesOf(world, repository, rows),
    rescan: { run: rescanRun, digest: rescanDigest(repository.id) },
    ...(lookedFor ? { lookedFor: { at: lookedFor.at, ...(lookedFor.by ? { by: lookedFor.by.login } : {}) } } : {}),
    at: { branch: repository.defaultBranch, ...(world.stackName === undefined ? {} : { stack: world.stackName }) },
    ...(policy.dashboard.pictures === undefined ? {} : { pictures: policy.dashboard.pictures }),
  };
}

const newer = (a: Tick | undefined, b: Tick): Tick => (a && a.at >= b.at ? a : b);

/** Rows that are known, and those that policy speaks of and nobody has looked at. A run that ended while its row was not told is not shown as open. */
async function rowsNow(world: ControlWorld, repository: Repository, policy: Policy): Promise<Row[]> {
  const known = await Promise.all((await readRows(world.table, repository.id)).map((row) => withoutEnded(world, row)));
  const names = new Set(known.map(nameOf));
  const { defaultBranch } = repository;
  const wanted = runsFor(policy, { kind: 'push', branch: defaultBranch, defaultBranch });
  const unseen = wanted
    .map(({ plan, environment }): Row => ({ repository: repository.id, plan, environment, version: '' }))
    .filter((row) => !names.has(nameOf(row)));
  return [...known, ...unseen];
}

const nameOf = ({ plan, environment, line }: Pick<Row, 'plan' | 'environment' | 'line'>): string => JSON.stringify([plan, environment, line]);

async function withoutEnded(world: ControlWorld, row: Row): Promise<Row> {
  if (!row.open) return row;
  const run = await readRun(world.table, row.open.run);
  if (run && run.phase !== 'done') return row;
  const { open: _open, ...rest } = row;
  await forgetOpen(world, row);
  return rest;
}

/** Whoever changed the row meanwhile knows better. */
async function forgetOpen(world: ControlWorld, { repository, plan, environment, version: known }: Row): Promise<void> {
  await write(world, rowKey(repository, plan, environment), (version) => ({ set: { version }, remove: ['open'] }), equal('version', known));
}

async function freezesOf(world: ControlWorld, { id }: Repository, rows: readonly Row[]) {
  const environments = [...new Set(rows.map(({ environment }) => environment))].sort();
  const found = await Promise.all(environments.map((environment) => readFreeze(world, id, environment)));
  return found.flatMap((freeze) => freeze ?? []);
}

/** Pull requests whose scope has been released to and not been removed again. */
async function openPreviews({ table }: Pick<ControlWorld, 'table'>, { id }: Repository): Promise<number> {
  const heads = await table.list({ index: 'repo', partition: id, prefix: 'scope#pr-' });
  return new Set(heads.filter((head) => head['tombstone'] === undefined).map((head) => (head['address'] as { scope?: string } | undefined)?.scope)).size;
}
