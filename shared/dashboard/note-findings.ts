import { isWrite } from '../approvals/effect.ts';
import type { Run } from '../run/items.ts';
import type { Findings, LineFinding } from '../scans/findings.ts';
import type { KnownResource } from '../scans/scanned-line.ts';
import { issueKey } from '../table/keys.ts';
import { changeRow, dropRow, type RowAddress, type RowContent, readStackRows } from './change-row.ts';
import { asFits, changesAsFit, countedAs, issuedBy, tallied } from './difference.ts';
import { type Ended, withoutUndefined } from './ended.ts';
import type { MarkWorld } from './mark.ts';
import { type Drift, type DriftedResource, isOlder, type Pending, type PendingChange, type Source } from './row.ts';

/**
 * What a scan found, for its row, where the repository has a dashboard. An older look never replaces a newer one; one that could not be made takes nothing away,
 * nor does it say that anything is in sync.
 *
 * A scan of some lines alone says nothing of what is pending, and of drift only where it looked at all that was known to have drifted.
 */
export async function noteFindings(world: MarkWorld, { board }: Pick<Run, 'board'>, findings: Findings): Promise<void> {
  if (!board && !(findings.problem && (await world.table.get(issueKey(findings.repository.id))))) return;
  const { repository, plan, environment, lines } = findings;
  const at = { repository, plan, environment };
  const put = (where: RowAddress, of: Findings): Promise<void> =>
    changeRow(world, where, (before) => (isOlder(of.asOf, before.seen?.asOf) ? undefined : after(before, of)));
  await put(at, { ...findings, lines: lines.filter(({ stack }) => stack === undefined) });
  for (const line of lines) if (line.stack) await put({ ...at, line: line.id }, ofStackAlone(findings, line));
  if (!findings.partial && !findings.problem) await dropOthers(world, at, findings);
}

/** Rows of stacks that the plan does not have any more. What is left of one is an orphan, and told in the plan's row. */
async function dropOthers(world: MarkWorld, at: RowAddress, { repository, asOf, lines }: Findings): Promise<void> {
  const here = new Set(lines.map(({ id }) => id));
  for (const row of await readStackRows(world.table, at)) {
    if (!here.has(row.line) && row.open === undefined && !isOlder(asOf, row.seen?.asOf)) await dropRow(world, repository, row);
  }
}

/**
 * What a scan says of one stack, as if there were nothing else: its row has one box, since its tool does all of its plan or nothing (R2.16, R2.25). What
 * is pending has it where there is something pending, and else what drifted.
 */
function ofStackAlone({ apply: _apply, repair: _repair, partial: _partial, ...findings }: Findings, line: LineFinding): Findings {
  const { stack, resources, ...rest } = line;
  const box = stack?.box;
  const isPending = resources.some(({ pending }) => pending === true);
  return { ...findings, lines: [{ ...rest, resources }], beside: [], ...(box === undefined ? {} : isPending ? { apply: box } : { repair: box }) };
}

function after(before: RowContent, findings: Findings): RowContent {
  const { run, commit, asOf, problem, lines, partial } = findings;
  const source: Source = { run, commit, asOf };
  if (problem) return { ...before, failed: { ...source, code: problem.code, message: problem.message } };
  const unseen = new Set(lines.filter(({ looked }) => looked === 'failed' || looked === 'busy').map(({ id }) => id));
  return withoutUndefined({
    ...before,
    ...(partial ? {} : wholeOf(before, findings, source, unseen)),
    ...previewOf(before, findings, source, unseen),
    ...driftAndCheckOf(before, findings, source, unseen),
  });
}

type Unseen = ReadonlySet<string>;

/** What a scan of all lines says beside drift. It has seen the row where it saw each line; where it did not, the row stays as it was for those lines. */
function wholeOf(before: RowContent, findings: Findings, source: Source, unseen: Unseen): Ended {
  const pending = standsFor(before.pending, unseen) ? before.pending : pendingOf(before.pending, findings, source);
  if (unseen.size > 0) return { pending };
  const orphans = findings.beside.filter(({ kind }) => kind === 'orphan').length;
  return { pending, seen: source, unsure: undefined, orphans: orphans === 0 ? undefined : orphans };
}

/**
 * Whether something of a line that was not looked at is among what is pending: then all of it stands, for its box is one. Steps for a person
 * and requests are listed nowhere, so that any of them may be of such a line.
 */
const standsFor = (pending: Pending | undefined, unseen: Unseen): boolean =>
  pending !== undefined &&
  unseen.size > 0 &&
  (pending.more === true || (pending.counts.todo ?? 0) + (pending.counts.run ?? 0) > 0 || pending.changes.some(({ line }) => unseen.has(line)));

/** A preview that failed before is only known to succeed now where no line was left out. */
function previewOf(before: RowContent, { lines, partial }: Findings, source: Source, unseen: Unseen): Ended {
  const problem = lines.find(({ looked, failed }) => looked === 'failed' && failed?.step === 'preview')?.failed?.problem;
  if (problem) return { failed: { ...source, code: problem.code, message: problem.message } };
  return { failed: partial || unseen.size > 0 ? before.failed : undefined };
}

function driftAndCheckOf(before: RowContent, findings: Findings, source: Source, unseen: Unseen): Ended {
  const { lines, partial } = findings;
  const known = before.drift?.resources ?? [];
  const asked = new Set(lines.map(({ id }) => id));
  if (partial && !known.every(({ line }) => asked.has(line))) return {};
  const check = checkOf(lines, source) ?? (unseen.size > 0 ? before.check : undefined);
  // Where scans are off, nothing but the row remembers what an earlier look found.
  const remembered = new Set(lines.filter(({ resources }) => resources.some(({ drifted }) => drifted !== undefined)).map(({ id }) => id));
  if (known.some(({ line }) => unseen.has(line) && !remembered.has(line))) return { check };
  return { drift: driftOf(before.drift, findings, source), check, ...(partial ? alsoDrifted(before, lines) : {}) };
}

/**
 * What some lines alone tell of a resource of which both is true: it stands below what is pending, where that is known. Where it is not, nobody has
 * seen all of the row.
 */
function alsoDrifted({ pending }: RowContent, lines: readonly LineFinding[]): Ended {
  const both = new Map(lines.flatMap(({ id, resources }) => resources.filter(isBoth).map((one) => [nameOf(id, one.label), driftedToo(one)] as const)));
  const asked = new Set(lines.map(({ id }) => id));
  const listed = new Set((pending?.changes ?? []).map(({ line, change }) => nameOf(line, change.label)));
  const changes = (pending?.changes ?? []).map(({ drifted, firstSeen, ...one }): PendingChange => {
    if (!asked.has(one.line)) return { ...one, ...(drifted ? { drifted } : {}), ...(firstSeen ? { firstSeen } : {}) };
    return { ...one, ...both.get(nameOf(one.line, one.change.label)) };
  });
  const unlisted = pending?.more !== true && [...both.keys()].some((name) => !listed.has(name));
  return { ...(pending ? { pending: { ...pending, changes } } : {}), ...(unlisted ? { unsure: true as const } : {}) };
}

const nameOf = (line: string, label: string): string => JSON.stringify([line, label]);

function pendingOf(before: Pending | undefined, { lines, apply }: Findings, source: Source): Pending | undefined {
  const changes = lines.flatMap(({ id, resources }) => resources.filter(({ pending }) => pending).flatMap((one) => changeOf(id, one)));
  const effects = lines.flatMap(({ resources, deeds }) => [...resources.flatMap((one) => (one.pending && one.effect ? [one.effect] : [])), ...deeds]);
  const counts = tallied(effects.filter(isWrite).map(countedAs));
  if (changes.length === 0 && Object.keys(counts).length === 0) return undefined;
  const { listed, more } = changesAsFit(changes);
  return { ...issuedBy(before, apply?.digest, source), ...(apply ? { digest: apply.digest } : {}), counts, changes: listed, ...more };
}

const changeOf = (line: string, { change, ...one }: KnownResource): PendingChange[] => (change ? [{ line, change, ...driftedToo(one) }] : []);

const driftedToo = ({ drifted, firstSeen }: Pick<KnownResource, 'drifted' | 'firstSeen'>): Pick<PendingChange, 'drifted' | 'firstSeen'> =>
  drifted ? { drifted: kindOf(drifted), ...(firstSeen === undefined ? {} : { firstSeen }) } : {};

const isBoth = ({ drifted, pending }: KnownResource): boolean => drifted !== undefined && pending === true;

/** Exactly what the box stands for: a resource that has something pending, too, goes with that, and is no part of a repair (ADR 0066). */
function driftOf(before: Drift | undefined, { lines, repair }: Findings, source: Source): Drift | undefined {
  const resources = lines.flatMap((line) => line.resources.filter((one) => one.drifted !== undefined && !isBoth(one)).map((one) => driftedOf(line, one)));
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
