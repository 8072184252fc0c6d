import type { Effect } from '../approvals/effect.ts';
import { noteOpen } from '../dashboard/note-run.ts';
import { contextOf, isStack, opOf } from '../engine/line-call.ts';
import { placeOf } from '../engine/unmanaged.ts';
import type { Problem } from '../errors/error.ts';
import type { Tenure } from '../lease/lease.ts';
import { type Entry, everWritten, type LedgerLine } from '../ledger/entry.ts';
import { createLedgerLine, readLedger, saveLedgerLine } from '../ledger/ledger-line.ts';
import { mainScope } from '../plan/scope.ts';
import type { ActiveLine } from '../plan/types.ts';
import { whyDeferred } from '../policy/after-merge.ts';
import { hasDashboard, inEnvironment, isProtected } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { withRedeploys } from '../redeploys/with-redeploys.ts';
import { rulesAbout } from '../scans/ignored.ts';
import { shownPaths } from '../scans/shown-paths.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import { resolveAccounts } from './accounts.ts';
import { enterPhase } from './enter-phase.ts';
import type { LineSpec, Run } from './items.ts';
import type { LoadedPlan } from './load-plan.ts';
import type { PhaseLine } from './phase.ts';
import type { RunKind } from './report.ts';
import { logEvent } from './run-log.ts';
import { environmentsOf, runScope } from './run-scope.ts';
import { sealForScan, sealReadCredentials, sealSecrets, variablesOf } from './seal-secrets.ts';
import { stackSecrets, storeSources, withStacks } from './with-stacks.ts';
import type { ControlWorld } from './world.ts';

/**
 * From the lines of a plan to the phase in which they are worked on: secrets, accounts, items, swap. `tenure` is absent for a plan.
 * False: the step's time is up, and another one goes on.
 */
export async function prepareLines(
  world: ControlWorld,
  run: Run,
  loaded: LoadedPlan,
  {
    approved,
    ...as
  }: Pick<Run, 'gated' | 'protects' | 'expiresMs' | 'approvers' | 'required' | 'allowSelf' | 'slack' | 'leaseTtlMs' | 'predecessor' | 'seen'> & {
    kind: RunKind;
    warnings: readonly Problem[];
    asOf?: NonNullable<Run['asOf']>;
    silent?: true;
    approved?: ReadonlyMap<string, readonly Effect[]>;
  },
  tenure?: Tenure,
): Promise<boolean> {
  const ledger = tenure ? await readLedger(world.table, runScope(run)) : [];
  const entries = ledger.flatMap((line) => line.entries);
  const deferred = deferredLines(world, run, loaded);
  const looked = loaded.lines.filter(({ id }) => !deferred.has(id));
  const secrets = await secretsFor(world, run, looked, loaded.policy, entries);
  const accounts = await resolveAccounts(world, run, looked, secrets);
  const places = new Set<string>();
  const lines = loaded.lines.map((line, order): PhaseLine => {
    const why = deferred.get(line.id);
    const shows = shownPaths(inEnvironment(loaded.policy, run.environment).drift, line);
    const ignores = rulesAbout(line.id, inEnvironment(loaded.policy, run.environment).drift.ignore);
    const spec = {
      ...specOf(world, run, line, order, accounts.get(line.id)),
      ...(why === undefined ? {} : { deferred: why }),
      ...(ignores.length > 0 ? { ignores } : {}),
      ...(shows.length > 0 ? { shows } : {}),
    };
    const place = why === undefined ? placeOf(opOf(world, line), spec) : undefined;
    const lists = place !== undefined && places.size < places.add(place).size;
    return { spec: { ...spec, ...(lists ? { lists } : {}), ...(approved ? { approved: approved.get(line.id) ?? [] } : {}) }, after: line.needs };
  });
  const all = await withStacks(world, run, tenure ? withRedeploys(world, run, lines) : lines, loaded.policy);
  const sources = await storeSources(world, run, looked.some((line) => isStack(world, line)) ? [run.commit] : []);
  const told = { ...onBoard(world, run, loaded.policy), ...watched(run, loaded.policy) };
  const change = { ...as, ...told, ...sources, warnings: [...as.warnings, ...tooShort(world)], plan: { ...run.plan, hash: loaded.hash } };
  const phase = tenure ? 'applying' : 'planning';
  const ledgers = tenure ? { alsoPut: ledgerLines(world, run, tenure, ledger, loaded.policy) } : {};
  const entered = await enterPhase(world, run, { phase, lines: all, change, fence: tenure?.fence ?? 0, ...ledgers });
  if (entered) await noteOpen(world, entered);
  if (entered) await logEvent(world, entered, entered.tookOver ? 'took over' : 'prepared', { detail: `${lines.length} lines` });
  return entered !== undefined;
}

/** Whether the run is told of on the dashboard: the default branch's, where there is one. Elsewhere nothing of it is written. */
const onBoard = ({ codeHost }: Pick<ControlWorld, 'codeHost'>, run: Run, policy: Policy): Pick<Run, 'board'> =>
  run.scope === mainScope && codeHost.issues !== undefined && hasDashboard(policy) ? { board: true } : {};

function secretsFor(world: ControlWorld, run: Run, lines: readonly ActiveLine[], policy: Policy, entries: readonly Entry[]): Promise<SecretSet> {
  if (run.options.afterMerge) return sealReadCredentials(world, run, lines, policy);
  const tools = lines.some((line) => isStack(world, line)) ? stackSecrets(policy, run) : [];
  return run.intent === 'drift' ? sealForScan(world, run, lines, policy, tools) : sealSecrets(world, run, lines, entries, tools);
}

/** A run of a scope that scans look at says at its end what it has seen of the lines itself, so that nobody has to read them again (R2.4). */
const watched = (run: Run, policy: Policy): Pick<Run, 'watched'> =>
  run.scope === mainScope && inEnvironment(policy, run.environment).drift.enabled ? { watched: true } : {};

/** Lines that a plan of what a merge would do does not look at, with the reason. */
function deferredLines(world: ControlWorld, run: Run, { policy, lines }: LoadedPlan): ReadonlyMap<string, string> {
  if (!run.options.afterMerge) return new Map();
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const why = whyDeferred(policy, run.environment, line, variablesOf(world, [line]), isStack(world, line));
      return why === undefined ? [] : [[line.id, why]];
    }),
  );
}

/** Values that cannot be masked, by name (R1.108). */
const tooShort = (world: ControlWorld): Problem[] =>
  world.redactor.shortNames().map((name) => ({ code: 'SECRET_SHORT', message: `${name} is shorter than four characters: it cannot be masked.` }));

/**
 * Every line has its ledger item under the lease before it starts, so that sealing reaches it (P4), with what it needs now. What a line
 * holds was made where it pointed then: pointed elsewhere, it still says so, or nobody would be asked before that is removed (I7).
 */
function ledgerLines(world: ControlWorld, run: Run, tenure: Tenure, ledger: readonly LedgerLine[], policy: Policy): (spec: LineSpec) => Promise<void> {
  const known = new Map(ledger.map((line) => [line.line, line]));
  return async ({ id, adapter, op, needs, writes, redeploy }) => {
    if (redeploy) return;
    const scope = runScope(run);
    const found = known.get(id);
    const written = writes === undefined ? {} : { writes };
    const wrote = found && found.entries.length > 0 ? everWritten(found).filter((environment) => environment !== writes) : [];
    const guarded = environmentsOf(run, { ...written, wrote }).some((environment) => isProtected(policy, environment));
    const facts = { adapter, op, needs, ...written, ...(wrote.length > 0 || found?.wrote ? { wrote } : {}) };
    const all = { ...facts, ...(guarded || found?.protected ? { protected: guarded } : {}) };
    if (!found) return createLedgerLine(world, scope, tenure, run.id, { line: id, ...all });
    const before = [found.needs, found.writes, found.wrote ?? [], found.protected === true];
    const same = JSON.stringify(before) === JSON.stringify([needs, writes ?? found.writes, wrote, guarded]);
    if (!same) await saveLedgerLine(world, scope, tenure, run.id, found, all);
  };
}

function specOf(world: ControlWorld, run: Run, line: ActiveLine, order: number, account: Readonly<Record<string, string>> | undefined): LineSpec {
  const { id, adapter, op, params, provider, needs } = line;
  const writes = opOf(world, line).writesEnvironment(params, provider, contextOf(run));
  const spec = { id, order, adapter, op, params, provider: provider as LineSpec['provider'], needs, dependants: [] };
  return { ...spec, ...(account === undefined ? {} : { account }), ...(writes === undefined ? {} : { writes }) };
}
