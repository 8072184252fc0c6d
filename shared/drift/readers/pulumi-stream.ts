import { createMasking } from '../masking.ts';
import type { Disclosure } from './disclose.ts';
import { type InputLine, inputLines } from './input.ts';
import { isMap, same } from './json.ts';
import { parseJson } from './json-text.ts';
import { countIn, isThere, membersIn, type Place, textOf, textOrNone, token, under, unreadable, whole } from './place.ts';
import { differsIn, drifted, markState, outputsOf, type PulumiResource, plainly, resourceAt, unread } from './pulumi.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { UnreadableError } from './unreadable.ts';

/**
 * `pulumi refresh --preview-only --json` with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true` (R2.11, R2.12): one event a line. Of an event only
 * its operation, its URN, and the paths of its difference are kept.
 *
 * Refused: a line that is no event, a stream without a summary, one whose summary counts more than its events say (R2.13), and a stream of
 * anything but a refresh: a preview says `same` of what it never looked at.
 *
 * Checked against recordings of Pulumi 3.259.
 *
 * @throws UnreadableError with the number of the line.
 */
export function readPulumiStream(text: string, context: ReaderContext): DriftReading {
  const events = eventsIn(text);
  const masking = createMasking();
  for (const { kind, body } of events)
    if (kind === 'resOutputsEvent') for (const side of ['old', 'new']) markState(under(under(body, 'metadata'), side), masking);
  const stream = gather(events, context);
  const notes = stream.failed ? ['The refresh failed: what it did not come to was not observed.'] : [];
  const evidence = { tool: 'pulumi', command: 'pulumi refresh --preview-only --json' };
  return readingOf(stream.findings, { engine: 'pulumi', read: 'refresh', evidence, masking, notes }, context);
}

interface Event {
  readonly line: number;
  readonly kind: string;
  readonly body: Place;
  /** RFC 3339. */
  readonly at: string | undefined;
}

const kinds = [
  'preludeEvent',
  'resourcePreEvent',
  'resOutputsEvent',
  'resOpFailedEvent',
  'diagnosticEvent',
  'summaryEvent',
  'cancelEvent',
  'stdoutEvent',
  'policyEvent',
  'policyLoadEvent',
  'policyRemediationEvent',
  'policyAnalyzeSummaryEvent',
  'policyRemediateSummaryEvent',
  'policyAnalyzeStackSummaryEvent',
  'startDebuggingEvent',
  'progressEvent',
  'errorEvent',
];

/** Events without anything that a reader needs are let go at once: a long stream is mostly those. */
const kept = new Set(['resourcePreEvent', 'resOutputsEvent', 'resOpFailedEvent', 'diagnosticEvent', 'summaryEvent']);

function eventsIn(text: string): Event[] {
  const events: Event[] = [];
  for (const line of inputLines(text)) {
    const event = onLine(line.line, () => eventOn(line));
    if (kept.has(event.kind)) events.push(event);
  }
  return events;
}

function eventOn({ line, text }: InputLine): Event {
  const root = whole(parseJson(text));
  if (!isMap(root.value)) throw unreadable(root, 'an event belongs here');
  const found = Object.keys(root.value).filter((key) => key.endsWith('Event'));
  const [kind = ''] = found;
  if (found.length !== 1 || !kinds.includes(kind)) throw unreadable(root, 'this is no event that is known');
  const seconds = under(root, 'timestamp').value;
  const at = typeof seconds === 'number' && seconds > 0 && seconds < 32_503_680_000 ? new Date(Math.floor(seconds) * 1000).toISOString() : undefined;
  return { line, kind, body: under(root, kind), at };
}

/** What is wrong with an event is wrong on its line, whoever finds it. */
function onLine<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof UnreadableError ? thrown.onLine(line) : thrown;
  }
}

interface Gathered {
  readonly findings: Finding[];
  readonly failed: boolean;
}

function gather(events: readonly Event[], disclosure: Disclosure): Gathered {
  const begun = new Map<string, PulumiResource>();
  const ended = new Map<string, Finding>();
  const complained = new Set<string>();
  let summary: { readonly counts: ReadonlyMap<string, number>; readonly failed: boolean; readonly line: number } | undefined;
  const told = new Map<string, number>();
  for (const { line, kind, body, at } of events) {
    onLine(line, () => {
      if (kind === 'summaryEvent') {
        if (summary !== undefined) throw unreadable(body, 'there is a summary already');
        summary = { ...summaryOf(body), line };
      } else if (kind === 'diagnosticEvent') {
        const urn = under(body, 'urn').value;
        if (under(body, 'severity').value === 'error' && typeof urn === 'string') complained.add(urn);
      } else {
        const metadata = under(body, 'metadata');
        const resource = resourceAt(under(metadata, 'urn'));
        if (kind === 'resourcePreEvent') {
          if (under(metadata, 'op').value !== 'refresh')
            throw unreadable(under(metadata, 'op'), 'this is no refresh: everything that begins in one is refreshed');
          begun.set(resource.urn, resource);
        } else if (kind === 'resOpFailedEvent') complained.add(resource.urn);
        else {
          if (!begun.has(resource.urn)) throw unreadable(under(metadata, 'urn'), 'this resource ends and has not begun');
          if (ended.has(resource.urn)) throw unreadable(under(metadata, 'urn'), 'this resource has ended already');
          const found = endOf(resource, metadata, disclosure);
          ended.set(resource.urn, { ...found, ...(at === undefined ? {} : { observedAt: at }) });
          const word = opOf[found.status] ?? '';
          told.set(word, (told.get(word) ?? 0) + 1);
        }
      }
    });
  }
  if (summary === undefined)
    throw new UnreadableError('the stream has no summary: it was cut, or it is no stream of a refresh', { line: (events.at(-1)?.line ?? 0) + 1 });
  const { counts, failed, line } = summary;
  for (const [op, count] of counts) {
    if (op !== 'same' && count > (told.get(op) ?? 0)) throw new UnreadableError(`the summary counts more of one operation than the events tell`, { line });
  }
  const open = [...begun.values()].filter(({ urn }) => !ended.has(urn));
  const unended = open.map((resource) =>
    complained.has(resource.urn)
      ? unread(resource, 'read-failed', 'Pulumi could not read it.')
      : unread(resource, 'not-reached', 'The refresh ended before it was read.'),
  );
  return { findings: [...ended.values(), ...unended], failed };
}

const opOf: Readonly<Partial<Record<string, string>>> = { 'in-sync': 'same', drifted: 'update', missing: 'delete' };

/** The closing event of a resource. Older releases call every end `refresh`, and then the states tell. */
function endOf(resource: PulumiResource, metadata: Place, disclosure: Disclosure): Finding {
  const op = textOf(under(metadata, 'op'), token, 'an operation');
  const [old, now] = [under(metadata, 'old'), under(metadata, 'new')];
  const differs = () => differsIn(old, now, [under(metadata, 'detailedDiff'), under(metadata, 'diffs')]);
  if (op === 'same') return plainly(resource, 'in-sync', op);
  if (op === 'delete') return plainly(resource, 'missing', op);
  if (op === 'update') return drifted(resource, differs(), disclosure);
  if (op !== 'refresh') throw unreadable(under(metadata, 'op'), 'a refresh ends with same, update or delete');
  if (!isThere(now)) return plainly(resource, 'missing', op);
  return same(outputsOf(old), outputsOf(now)) ? plainly(resource, 'in-sync', op) : drifted(resource, differs(), disclosure);
}

/** Counts by operation. `maybeCorrupt` is Pulumi's own word that its state may be. */
function summaryOf(body: Place): { counts: Map<string, number>; failed: boolean } {
  if (!isThere(body)) throw unreadable(body, 'a summary belongs here');
  const counts = new Map<string, number>();
  for (const [op, count] of membersIn(under(body, 'resourceChanges'))) counts.set(op, countIn(count));
  for (const op of counts.keys())
    if (!['same', 'update', 'delete', 'refresh'].includes(op))
      throw unreadable(under(body, 'resourceChanges'), 'a refresh counts nothing but same, update and delete');
  return { counts, failed: textOrNone(under(body, 'result'), token, 'a result') === 'failed' };
}
