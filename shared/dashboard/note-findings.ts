import { isWrite } from '../approvals/effect.ts';
import type { Run } from '../run/items.ts';
import type { Findings, LineFinding } from '../scans/findings.ts';
import type { KnownResource } from '../scans/scanned-line.ts';
import { issueKey } from '../table/keys.ts';
import { changeRow, type RowContent } from './change-row.ts';
import { asFits, changesAsFit, issuedBy, tallied } from './difference.ts';
import type { MarkWorld } from './mark.ts';
import { withoutUndefined } from './note-run.ts';
import { type Drift, type DriftedResource, isOlder, type Pending, type PendingChange, type Source } from './row.ts';

/**
 * What a scan found, for its row, where the repository has a dashboard. An older look never replaces a newer one; one that could not be made takes nothing away.
 *
 * A scan of some lines alone says nothing of what is pending, and of drift only where it looked at all that was known to have drifted.
 */
export async function noteFindings(world: MarkWorld, { board }: Pick<Run, 'board'>, findings: Findings): Promise<void> {
  if (!board && !(findings.problem && (await world.table.get(issueKey(findings.repository.id))))) return;
  const { repository, plan, environment } = findings;
  await changeRow(world, { repository, plan, environment }, (before) => (isOlder(findings.asOf, before.seen?.asOf) ? undefined : after(before, findings)));
}

function after(before: RowContent, findings: Findings): RowContent {
  const { run, commit, asOf, problem, lines, partial } = findings;
  const source: Source = { run, commit, asOf };
  if (problem) return { ...before, failed: { ...source, code: problem.code, message: problem.message } };
  const failed = lines.find(({ looked, failed }) => looked === 'failed' && failed?.step === 'preview')?.failed?.problem;
  const looked = new Set(lines.map(({ id }) => id));
  const seesDrift = !partial || (before.drift?.resources ?? []).every(({ line }) => looked.has(line));
  return withoutUndefined({
    ...before,
    ...(partial ? {} : { pending: pendingOf(before.pending, findings, source), seen: source }),
    ...(partial && !failed ? {} : { failed: failed && { ...source, code: failed.code, message: failed.message } }),
    ...(seesDrift ? { drift: driftOf(before.drift, findings, source), check: checkOf(lines, source) } : {}),
  });
}

function pendingOf(before: Pending | undefined, { lines, apply }: Findings, source: Source): Pending | undefined {
  const changes = lines.flatMap(({ id, resources }) => resources.filter(({ pending }) => pending).flatMap((one) => changeOf(id, one)));
  const effects = lines.flatMap(({ resources, deeds }) => [...resources.flatMap((one) => (one.pending && one.effect ? [one.effect] : [])), ...deeds]);
  const counts = tallied(effects.filter(isWrite).map(({ action }) => action as keyof Pending['counts']));
  if (changes.length === 0 && Object.keys(counts).length === 0) return undefined;
  const { listed, more } = changesAsFit(changes);
  return { ...issuedBy(before, apply?.digest, source), ...(apply ? { digest: apply.digest } : {}), counts, changes: listed, ...more };
}

const changeOf = (line: string, { change, drifted }: KnownResource): PendingChange[] =>
  change ? [{ line, change, ...(drifted ? { drifted: kindOf(drifted) } : {}) }] : [];

function driftOf(before: Drift | undefined, { lines, repair }: Findings, source: Source): Drift | undefined {
  const resources = lines.flatMap((line) => line.resources.filter(({ drifted }) => drifted !== undefined).map((one) => driftedOf(line, one)));
  if (resources.length === 0) return undefined;
  const { listed, more } = asFits(resources);
  return {
    ...issuedBy(before, repair?.digest, source),
    ...(repair ? { digest: repair.digest } : {}),
    counts: tallied(resources.map(({ kind }) => kind)),
    resources: listed,
    ...more,
  };
}

/** What is live stands before what the plan wants there: a reader of drift asks what it was changed to. */
function driftedOf({ id, cleanAt, lastRun }: LineFinding, { label, drifted, change, firstSeen }: KnownResource): DriftedResource {
  const fields = (change?.fields ?? []).map(({ path, before, after }) => ({
    path,
    ...(after.state === 'literal' ? { before: String(after.value) } : {}),
    ...(before.state === 'literal' ? { after: String(before.value) } : {}),
  }));
  return {
    line: id,
    label,
    kind: kindOf(drifted as NonNullable<KnownResource['drifted']>),
    fields,
    ...(firstSeen === undefined ? {} : { firstSeen }),
    ...(cleanAt === undefined ? {} : { lastClean: cleanAt }),
    ...(lastRun === undefined ? {} : { lastRun }),
  };
}

const kindOf = (drifted: NonNullable<KnownResource['drifted']>): DriftedResource['kind'] => (drifted === 'missing' ? 'gone' : drifted);

/** Lines of which nobody could say whether they drifted; the one that fails longest speaks for all. */
function checkOf(lines: readonly LineFinding[], source: Source): RowContent['check'] {
  const [worst] = lines.flatMap(({ looked, failed }) => (looked === 'failed' && failed ? [failed] : [])).toSorted((a, b) => b.times - a.times);
  return worst && { ...source, code: worst.problem.code, times: worst.times, since: worst.since };
}
