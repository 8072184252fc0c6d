import { type Awaited, askOutside } from '../engine/await-external.ts';
import { registerOutputs } from '../engine/inspect.ts';
import { remembered } from '../engine/intents.ts';
import { callFor } from '../engine/line-call.ts';
import type { Op, OpCall } from '../engine/op.ts';
import { storeOutputs } from '../engine/outputs.ts';
import type { RunSecrets } from '../engine/run-secrets.ts';
import { LockkeeperError } from '../errors/error.ts';
import { enterLease, type Tenure } from '../lease/lease.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { readLedger, saveLedgerLine } from '../ledger/ledger-line.ts';
import { untilNextRound } from '../run/backoff.ts';
import { type Deadline, deadline } from '../run/deadline.ts';
import type { JobAnswer, LineResult, Run, RunLine } from '../run/items.ts';
import { pausedUntil, pauseProvider } from '../run/pause.ts';
import { runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { redeployFailed } from './redeploy-failed.ts';

const nothing = { changes: [], outputs: {} } as const;

/** A redeploy at work. */
interface Redeploying {
  readonly world: World;
  readonly run: Run;
  readonly scope: string;
  readonly line: RunLine;
  readonly op: Op;
  readonly call: OpCall;
  readonly tenure: Tenure;
  readonly guard: Deadline;
}

/**
 * One redeploy, from its claim to its result (P8): what the ledger says is due is deployed, then the marks go.
 *
 *     due in the ledger? ─▶ provider ─▶ marks out of the ledger ─▶ what the deployment gives
 *
 * The op asks the provider whether a deployment is newer than the writes before it starts one. So a death before the marks are gone, and an
 * answer that was lost, end in a second look and in no second deployment. Marks that a run left, died or stopped, are honoured here too.
 * A failure stops nothing and undoes nothing (R1.49): it is said, and the marks stay for the next run.
 */
export async function redeployLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  if (run.stopping) return { result: { ...nothing, status: 'skipped' } };
  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours) {
    const message = `Run ${entry.lease?.holder ?? 'unknown'} has taken the lease.`;
    return { result: { ...nothing, status: 'skipped', problem: { code: 'LOCK_LOST', message } } };
  }
  const paused = await pausedUntil(world, line.spec);
  if (paused !== undefined) return { later: Math.ceil((paused - world.clock.now()) / 1000) };
  const guard = deadline(world.clock, line.until, entry.tenure.deadline);
  try {
    const job = { world, run, scope, line, guard, tenure: entry.tenure, ...(await callFor(world, run, line, secrets, guard)) };
    return await redeploy(job);
  } catch (error) {
    if (!(error instanceof LockkeeperError) || error.code === 'STORE_UNREACHABLE') throw error;
    return afterError(world, line, error);
  }
}

async function redeploy(job: Redeploying): Promise<JobAnswer> {
  const { world, run, line, op } = job;
  const due = dueIn(job, await readLedger(world.table, job.scope));
  const started = due.length > 0 && (await deployed(job, due));
  const awaited: Awaited = line.spec.dependants.length > 0 ? await whatItGives(job) : { outputs: {} };
  const stored = storeOutputs(world, line.spec, op, awaited.outputs);
  const result: LineResult = {
    status: started ? 'applied' : 'unchanged',
    changes: [],
    outputs: stored.outputs,
    ...(started ? { redeployed: due.map(({ ledger }) => ledger.line) } : {}),
    ...(awaited.failed ? { externalFailed: awaited.failed } : {}),
    ...(awaited.unasked ? { resumeAt: world.clock.now() + untilNextRound(run.round) } : {}),
  };
  return { result, secret: stored.secret };
}

interface Due {
  readonly ledger: LedgerLine;
  readonly entries: readonly Entry[];
}

/** What was written into this account's group and not deployed since, by whichever run. */
function dueIn({ call, op, line }: Redeploying, ledger: readonly LedgerLine[]): Due[] {
  const account = accountText(call.identity);
  const isDue = (entry: Entry) =>
    entry.redeployDue === line.spec.redeploy?.group && entry.adapter === op.adapter && entry.op === op.name && accountText(entry.account) === account;
  return ledger.map((one) => ({ ledger: one, entries: one.entries.filter(isDue) })).filter(({ entries }) => entries.length > 0);
}

const accountText = (account: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(account).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Deploys what is due, then takes the marks away. */
async function deployed(job: Redeploying, due: readonly Due[]): Promise<boolean> {
  const { world, scope, tenure, run, line, op, call, guard } = job;
  const written = due.flatMap(({ entries }) => entries.map(remembered));
  const started = (await op.redeploy?.run(written, line.spec.redeploy?.group as string, call)) === true;
  for (const { ledger, entries } of due) {
    guard.beforeWrite(world.timing.storeTimeout);
    const next = ledger.entries.map((entry) => (entries.includes(entry) ? withoutMark(entry) : entry));
    await saveLedgerLine(world, scope, tenure, run.id, ledger, { entries: next });
  }
  return started;
}

function withoutMark({ redeployDue: _due, ...entry }: Entry): Entry {
  return entry;
}

async function whatItGives({ world, line, op, call }: Redeploying): Promise<Awaited> {
  const awaited = await askOutside({}, async () => op.redeploy?.outputs(line.spec.redeploy?.group as string, call));
  registerOutputs({ world, line, op }, awaited.outputs);
  return awaited;
}

/** Seconds between two tries of a provider that does not answer, and for how long, ms. */
const betweenTries = 5;
const longestTry = 2 * 60_000;

/** The answer to a start may be what was lost: the next try looks before it starts another. */
async function afterError(world: World, line: RunLine, { problem }: LockkeeperError): Promise<JobAnswer> {
  if (problem.code === 'PROVIDER_AGAIN') {
    const at = problem.details?.['at'];
    const until = typeof at === 'number' ? at : world.clock.now() + betweenTries * 1000;
    await pauseProvider(world, line.spec, until);
    return { later: Math.ceil((until - world.clock.now()) / 1000) };
  }
  const since = line.pollingSince ?? world.clock.now();
  const passes = problem.code === 'PROVIDER_TRANSIENT' || problem.code === 'PROVIDER_TIMEOUT';
  if (passes && world.clock.now() - since < longestTry) return { later: betweenTries, pollingSince: since };
  return { result: redeployFailed(line.spec, problem.message) };
}
