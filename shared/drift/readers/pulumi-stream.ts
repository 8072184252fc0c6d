import { createMasking, type Masking } from '../masking.ts';
import type { Disclosure } from './disclose.ts';
import { type InputLine, inputLines } from './input.ts';
import { isMap, same } from './json.ts';
import { parseJson } from './json-text.ts';
import { countIn, flagIn, isThere, membersIn, type Place, textOf, textOrNone, token, under, unreadable, whole } from './place.ts';
import { corruptNote, differsIn, drifted, markState, outputsOf, type PulumiResource, plainly, refreshHint, resourceAt, unread } from './pulumi.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { UnreadableError } from './unreadable.ts';

/**
 * `pulumi refresh --preview-only --json` with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true` (R2.11, R2.12): one event a line. Of an event only
 * its operation, its URN, and the paths of its difference are kept.
 *
 * Refused: a line that is no event, a stream without a summary, one whose summary counts more than its events say (R2.13), and a stream of
 * anything but a refresh: a preview says `same` of what it never looked at.
 *
 * Checked against recordings of Pulumi 3.259, and against examples made from its published types (`apitype.EngineEvent`) of what those have not: policies,
 * progress, a resource that failed, a cancelled refresh, paths that the tool names, `import`, `read` and `discard-replaced`.
 *
 * @throws UnreadableError with the number of the line.
 */
export function readPulumiStream(bytes: Uint8Array, context: ReaderContext): DriftReading {
  const masking = createMasking();
  const stream: Stream = { begun: new Map(), ended: new Map(), complained: new Set(), summary: undefined };
  let last = 0;
  // One event at a time: a long stream never lies in memory as a whole.
  for (const line of inputLines(bytes)) {
    last = line.line;
    onLine(last, () => take(stream, eventOn(line), masking, context));
  }
  const { counts, failed, corrupt, line } = summaryIn(stream, last);
  const told = (status: string): number => [...stream.ended.values()].filter((finding) => finding.status === status).length;
  if ((counts.get('update') ?? 0) > told('drifted') || (counts.get('delete') ?? 0) > told('missing'))
    throw new UnreadableError('the summary counts more of one operation than the events tell', { line });
  const notes = [...(failed ? ['The refresh failed: what it did not come to was not observed.'] : []), ...(corrupt ? [corruptNote] : [])];
  const evidence = { tool: 'pulumi', command: 'pulumi refresh --preview-only --json' };
  return readingOf([...stream.ended.values(), ...unended(stream)], { engine: 'pulumi', read: 'refresh', evidence, masking, notes }, context);
}

interface Summary {
  readonly counts: ReadonlyMap<string, number>;
  readonly failed: boolean;
  readonly corrupt: boolean;
  readonly line: number;
}

/** What the events came to so far. */
interface Stream {
  readonly begun: Map<string, PulumiResource>;
  readonly ended: Map<string, Finding>;
  /** URNs of which an error was said. */
  readonly complained: Set<string>;
  summary: Summary | undefined;
}

interface Event {
  readonly line: number;
  readonly kind: string;
  readonly body: Place;
  /** RFC 3339. */
  readonly at: string | undefined;
}

/** An event has one key that says what it is. A kind that nothing is read of is passed over: what it could have said of a resource is counted by the summary. */
function eventOn({ line, bytes }: InputLine): Event {
  const root = whole(parseJson(bytes));
  if (!isMap(root.value)) throw unreadable(root, 'an event belongs here');
  const found = Object.keys(root.value).filter((key) => key.endsWith('Event'));
  const [kind = ''] = found;
  if (found.length !== 1) throw unreadable(root, 'an event belongs here, of one kind');
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

function take(stream: Stream, { line, kind, body, at }: Event, masking: Masking, disclosure: Disclosure): void {
  if (kind === 'summaryEvent') {
    if (stream.summary !== undefined) throw unreadable(body, 'there is a summary already');
    stream.summary = { ...summaryOf(body), line };
  } else if (kind === 'diagnosticEvent') {
    const urn = under(body, 'urn').value;
    if (under(body, 'severity').value === 'error' && typeof urn === 'string') stream.complained.add(urn);
  } else if (kind === 'resourcePreEvent') begin(stream, under(body, 'metadata'));
  else if (kind === 'resOpFailedEvent') stream.complained.add(resourceAt(under(under(body, 'metadata'), 'urn')).urn);
  else if (kind === 'resOutputsEvent') end(stream, under(body, 'metadata'), at, masking, disclosure);
}

function begin({ begun }: Stream, metadata: Place): void {
  const resource = resourceAt(under(metadata, 'urn'));
  if (under(metadata, 'op').value !== 'refresh')
    throw unreadable(under(metadata, 'op'), 'this is no refresh: everything that begins in one is refreshed', refreshHint);
  begun.set(resource.urn, resource);
}

function end({ begun, ended }: Stream, metadata: Place, at: string | undefined, masking: Masking, disclosure: Disclosure): void {
  const resource = resourceAt(under(metadata, 'urn'));
  if (!begun.has(resource.urn)) throw unreadable(under(metadata, 'urn'), 'this resource ends and has not begun');
  if (ended.has(resource.urn)) throw unreadable(under(metadata, 'urn'), 'this resource has ended already');
  for (const side of ['old', 'new']) markState(under(metadata, side), masking);
  ended.set(resource.urn, { ...endOf(resource, metadata, disclosure), ...(at === undefined ? {} : { observedAt: at }) });
}

function summaryIn({ summary }: Stream, last: number): Summary {
  if (summary === undefined) throw new UnreadableError('the stream has no summary: it was cut, or it is no stream of a refresh', { line: last + 1 });
  return summary;
}

function unended({ begun, ended, complained }: Stream): Finding[] {
  return [...begun.values()]
    .filter(({ urn }) => !ended.has(urn))
    .map((resource) =>
      complained.has(resource.urn)
        ? unread(resource, 'read-failed', 'Pulumi could not read it.')
        : unread(resource, 'not-reached', 'The refresh ended before it was read.'),
    );
}

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

function summaryOf(body: Place): Omit<Summary, 'line'> {
  if (!isThere(body)) throw unreadable(body, 'a summary belongs here');
  const counts = new Map<string, number>();
  for (const [op, count] of membersIn(under(body, 'resourceChanges'))) counts.set(op, countIn(count));
  for (const op of counts.keys())
    if (!['same', 'update', 'delete', 'refresh'].includes(op))
      throw unreadable(under(body, 'resourceChanges'), 'a refresh counts nothing but same, update and delete');
  return { counts, corrupt: flagIn(under(body, 'maybeCorrupt')), failed: textOrNone(under(body, 'result'), token, 'a result') === 'failed' };
}
