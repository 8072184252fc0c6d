import type { LedgerLine } from '../ledger/entry.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { LineFinding } from './findings.ts';
import type { DriftFound } from './found.ts';
import type { KnownResource, ScannedLine } from './scanned-line.ts';

/** What a look at one line is judged by. */
interface Looking {
  readonly run: Pick<Run, 'id' | 'startedAt'>;
  readonly line: Pick<RunLine, 'spec' | 'result'>;
  /** What earlier looks found. */
  readonly known: DriftFound | undefined;
  readonly ledger: LedgerLine | undefined;
}

/**
 * What a scan says of one line. A look that failed, or that a run was in the way of, takes nothing away and adds nothing: what was found
 * before stands, and how often it failed is counted (R2.9, R2.10). A newer look than this one has said more already. Pure.
 */
export function findingOf({ run, line, known, ledger }: Looking): LineFinding {
  const { id, adapter, op } = line.spec;
  const lastRun = ledger?.lastRun ?? known?.lastRun;
  const base = { id, adapter, op, deeds: [], ...(lastRun === undefined ? {} : { lastRun }), ...stackOf(line) };
  const stands = { resources: known?.drifted ?? [], ...(known?.cleanAt === undefined ? {} : { cleanAt: known.cleanAt }) };
  if (isOlder(run, known)) return { ...base, looked: 'busy', ...stands };
  const problem = isFailed(line) ? line.result?.problem : undefined;
  if (problem) return { ...base, looked: 'failed', ...stands, failed: failedAgain(run, known, line, problem) };
  const scanned = line.result?.scanned;
  if (scanned?.looked === 'cannot')
    return { ...base, looked: 'cannot', resources: [], deeds: scanned.deeds ?? [], ...(scanned.waits === undefined ? {} : { waits: scanned.waits }) };
  if (!scanned || scanned.looked === 'busy') return { ...base, looked: 'busy', ...stands, ...(known?.failed ? { failed: known.failed } : {}) };
  return { ...base, looked: 'yes', ...seen(run, known, scanned) };
}

/** Which lines are stacks, the prepared line says: a look that failed may say nothing of it. */
const stackOf = ({ spec, result }: Looking['line']): Pick<LineFinding, 'stack'> => {
  if (!spec.stack) return {};
  const look = result?.scanned?.stack;
  return { stack: look ? { look } : {} };
};

/** Of two looks the one that began later knows more; a look is not older than itself. */
const isOlder = (run: Looking['run'], known: DriftFound | undefined): boolean => known !== undefined && known.run !== run.id && known.at > run.startedAt;

const isFailed = ({ result }: Looking['line']): boolean => result?.status === 'error' || result?.status === 'blocked';

function failedAgain(
  run: Looking['run'],
  known: DriftFound | undefined,
  { result }: Looking['line'],
  problem: NonNullable<DriftFound['failed']>['problem'],
): NonNullable<LineFinding['failed']> {
  const before = known?.failed;
  const step = result?.status === 'error' ? ('check' as const) : ('preview' as const);
  // A step that is repeated finds its own word there.
  const times = (before?.times ?? 0) + (before && known?.run === run.id ? 0 : 1);
  return { step, problem, times, since: before?.since ?? run.startedAt };
}

function seen(run: Looking['run'], known: DriftFound | undefined, { resources }: ScannedLine): Pick<LineFinding, 'resources' | 'cleanAt' | 'news'> {
  const before = new Map((known?.drifted ?? []).map((one) => [one.key, one]));
  const told = new Set(known?.told ?? []);
  const all = resources.map((one): KnownResource => (one.drifted ? { ...one, firstSeen: before.get(one.key)?.firstSeen ?? run.startedAt } : one));
  const drifted = all.filter((one) => one.drifted !== undefined);
  const news = drifted.flatMap(({ fingerprint }) => (fingerprint !== undefined && !told.has(fingerprint) ? [fingerprint] : []));
  const cleanAt = drifted.length === 0 ? run.startedAt : known?.cleanAt;
  return { resources: all, ...(cleanAt === undefined ? {} : { cleanAt }), ...(news.length > 0 ? { news } : {}) };
}

/** What the item of a line says after this look; undefined: it stays as it is. */
export function foundAfter(
  run: Pick<Run, 'id' | 'startedAt'>,
  finding: LineFinding,
  before: DriftFound | undefined,
): Omit<DriftFound, 'line' | 'version'> | undefined {
  if (isOlder(run, before) || finding.looked === 'busy' || finding.looked === 'cannot') return undefined;
  const lastRun = finding.lastRun === undefined ? {} : { lastRun: finding.lastRun };
  const own = { run: run.id, at: run.startedAt, ...lastRun };
  if (finding.looked === 'failed') {
    const { version: _version, line: _line, ...stands } = before ?? { version: '', line: '' };
    return { ...stands, ...own, ...(finding.failed ? { failed: finding.failed } : {}) };
  }
  const drifted = finding.resources.filter((one) => one.drifted !== undefined);
  const here = new Set(drifted.map(({ fingerprint }) => fingerprint));
  const told = (before?.told ?? []).filter((one) => here.has(one));
  return {
    ...own,
    ...(finding.cleanAt === undefined ? {} : { cleanAt: finding.cleanAt }),
    ...(drifted.length > 0 ? { drifted } : {}),
    ...(told.length > 0 ? { told } : {}),
  };
}
