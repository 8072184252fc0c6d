import { createMasking } from '../masking.ts';
import type { Disclosure } from './disclose.ts';
import { type Json, same } from './json.ts';
import { countIn, flagIn, isThere, itemsIn, membersIn, type Place, textOf, token, under, unreadable, whole } from './place.ts';
import { corruptNote, differsIn, drifted, isCustom, markState, outputsOf, type PulumiResource, plainly, refreshHint, resourceAt, unread } from './pulumi.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';

/**
 * `pulumi refresh --preview-only --json` as one document (R3.19). In this form every resource that was refreshed is a step `refresh` with
 * two equal states, drifted or not; only its summary counts them. So a step is in sync only where the summary leaves no doubt: where it
 * counts more changes than the steps show, or fewer resources than there are steps, those that could be meant were not observed. The event
 * stream says which they are: read that one wherever you can.
 *
 * Checked against recordings of Pulumi 3.259, and against examples made from its published types (`display.PreviewDigest`) of what those have not: paths
 * that the tool names, diagnostics, `import`, `read` and `discard-replaced`.
 *
 * @throws UnreadableError
 */
export function readPulumiDocument(document: Json, context: ReaderContext): DriftReading {
  const root = whole(document);
  const steps = itemsIn(under(root, 'steps'));
  const masking = createMasking();
  for (const step of steps) for (const side of ['oldState', 'newState']) markState(under(step, side), masking);
  const seen = new Set<string>();
  const ends = steps.map((step) => endOf(step, seen, context));
  if (ends.length > 0 && !ends.some(({ op }) => op === 'refresh')) {
    throw unreadable(under(root, 'steps'), 'no step is a refresh: this is a preview or an update, which says nothing of what is live');
  }
  const { findings, notes: told } = judged(ends, countsIn(root, ends), complaintsIn(root));
  const notes = flagIn(under(root, 'maybeCorrupt')) ? [...told, corruptNote] : told;
  const evidence = { tool: 'pulumi', command: 'pulumi refresh --preview-only --json' };
  return readingOf(findings, { engine: 'pulumi', read: 'refresh', evidence, masking, notes }, context);
}

interface End {
  readonly op: 'refresh' | 'delete';
  readonly resource: PulumiResource;
  readonly custom: boolean;
  /** What the step itself shows; undefined when both states are alike. */
  readonly shown: Finding | undefined;
}

function endOf(step: Place, seen: Set<string>, disclosure: Disclosure): End {
  const op = textOf(under(step, 'op'), token, 'an operation');
  const resource = resourceAt(under(step, 'urn'));
  if (seen.has(resource.urn)) throw unreadable(under(step, 'urn'), 'this resource has a step already: a refresh has one of each', refreshHint);
  seen.add(resource.urn);
  const [old, now] = [under(step, 'oldState'), under(step, 'newState')];
  const custom = isCustom(old) || isCustom(now);
  if (op === 'delete') return { op, resource, custom, shown: plainly(resource, 'missing', op) };
  if (op !== 'refresh') throw unreadable(under(step, 'op'), 'this is no refresh: each of its steps is a refresh or a delete', refreshHint);
  if (!isThere(now)) return { op, resource, custom, shown: plainly(resource, 'missing', op) };
  const named = [under(step, 'detailedDiff'), under(step, 'diffReasons')] as const;
  const differs = isThere(old) && same(outputsOf(old), outputsOf(now)) && !named.some(isThere) ? [] : differsIn(old, now, named);
  return { op, resource, custom, shown: differs.length === 0 ? undefined : drifted(resource, differs, disclosure) };
}

interface Counts {
  readonly update: number;
  readonly delete: number;
  readonly all: number;
}

function countsIn(root: Place, ends: readonly End[]): Counts {
  const summary = under(root, 'changeSummary');
  if (!isThere(summary) && ends.length > 0) throw unreadable(summary, 'a refresh has a summary, and without one nothing is known');
  const counts = new Map(membersIn(summary).map(([op, count]) => [op, countIn(count)]));
  for (const op of counts.keys())
    if (!['same', 'update', 'delete', 'refresh'].includes(op)) throw unreadable(summary, 'a refresh counts nothing but same, update and delete');
  return { update: counts.get('update') ?? 0, delete: counts.get('delete') ?? 0, all: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

/** The URNs of which an error was said. Its words are not read: they hold values. */
function complaintsIn(root: Place): Set<unknown> {
  const errors = itemsIn(under(root, 'diagnostics')).filter((one) => under(one, 'severity').value === 'error');
  return new Set(errors.map((one) => under(one, 'urn').value));
}

const hidden = 'The summary counts more changes than the document shows, and it does not say which they are. The event stream does.';
const uncounted = 'The refresh broke off, and the document does not say what it had read.';

function judged(ends: readonly End[], counts: Counts, complaints: ReadonlySet<unknown>): { findings: Finding[]; notes: string[] } {
  const failed = ends.filter(({ resource, shown }) => shown === undefined && complaints.has(resource.urn));
  const of = (status: string): number => ends.filter(({ shown }) => shown?.status === status).length;
  const moreChanged = counts.update > of('drifted') || counts.delete > of('missing');
  const fewerRead = counts.all < ends.length - failed.length;
  const findings = ends.map((end): Finding => {
    if (end.shown !== undefined) return end.shown;
    if (failed.includes(end)) return unread(end.resource, 'read-failed', 'Pulumi could not read it.');
    // A component and the stack are in the state alone, and nothing outside can change them.
    if (fewerRead && end.custom) return unread(end.resource, 'read-failed', uncounted);
    return moreChanged && end.custom ? unread(end.resource, 'cannot-read', hidden) : plainly(end.resource, 'in-sync', end.op);
  });
  return {
    findings,
    notes: [...(moreChanged ? [hidden] : []), ...(fewerRead || failed.length > 0 ? ['The refresh failed: what it did not come to was not observed.'] : [])],
  };
}
