import { isMap, type Json, memberOf } from '../../drift/readers/json.ts';
import { type Way, wayOf } from '../../drift/readers/paths.ts';
import {
  countIn,
  flagIn,
  inside,
  isThere,
  itemsIn,
  mapIn,
  membersIn,
  type Place,
  textIn,
  textOf,
  textOrNone,
  token,
  under,
  unreadable,
  whole,
} from '../../drift/readers/place.ts';
import { resourceAt } from '../../drift/readers/pulumi.ts';
import { type PulumiState, stateAt } from './state.ts';

/** One step of Pulumi on one resource, as an event or a document tells it. */
export interface PulumiStep {
  /** The tool's own word: `create-replacement`. */
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: PulumiState | undefined;
  readonly now: PulumiState | undefined;
  /** Where the tool says that it differs; empty where it does not say. */
  readonly ways: readonly Way[];
  /** Those of them that force a replacement. */
  readonly replaceWays: readonly Way[];
}

/** What Pulumi, or the program it runs, says to people: its words are secret. */
export interface Said {
  readonly severity: 'error' | 'warning' | 'info';
  readonly urn: string | undefined;
  readonly message: string;
}

export interface Summary {
  readonly counts: ReadonlyMap<string, number>;
  readonly failed: boolean;
  readonly corrupt: boolean;
}

/** What is taken of the output of a preview, an update or a destroy. Everything else in it is dropped. */
export type PulumiEvent =
  | { readonly kind: 'begun' | 'ended'; readonly step: PulumiStep; readonly planning: boolean }
  | { readonly kind: 'failed'; readonly urn: string; readonly planning: boolean }
  | { readonly kind: 'said'; readonly said: Said }
  | { readonly kind: 'summary'; readonly summary: Summary; readonly planning: boolean }
  /** A whole preview as one document: its steps have begun, and nothing tells of their end. */
  | { readonly kind: 'document'; readonly steps: readonly PulumiStep[]; readonly said: readonly Said[]; readonly summary: Summary | undefined };

/**
 * What one value of the output says; undefined for what nothing is taken of.
 *
 * @throws UnreadableError for what is neither an event nor a document.
 */
export function eventOf(value: Json): PulumiEvent | undefined {
  const root = whole(value);
  const map = mapIn(root);
  if (memberOf(map, 'steps') !== undefined || memberOf(map, 'changeSummary') !== undefined || memberOf(map, 'duration') !== undefined) return documentAt(root);
  const [kind, ...more] = Object.keys(map).filter((key) => key.endsWith('Event'));
  if (kind === undefined || more.length > 0) throw unreadable(root, 'an event belongs here, of one kind');
  const body = under(root, kind);
  const planning = isMap(body.value) && flagIn(under(body, 'planning'));
  if (kind === 'resourcePreEvent') return { kind: 'begun', step: stepAt(under(body, 'metadata'), names.event), planning };
  if (kind === 'resOutputsEvent') return { kind: 'ended', step: stepAt(under(body, 'metadata'), names.event), planning };
  if (kind === 'resOpFailedEvent') return { kind: 'failed', urn: resourceAt(under(under(body, 'metadata'), 'urn')).urn, planning };
  if (kind === 'summaryEvent') return { kind: 'summary', summary: summaryAt(body, 'resourceChanges'), planning: flagIn(under(body, 'isPreview')) };
  const said = kind === 'diagnosticEvent' ? saidAt(body) : undefined;
  return said === undefined ? undefined : { kind: 'said', said };
}

/** How an event and a document call the parts of a step. */
const names = {
  event: { old: 'old', now: 'new', diffs: 'diffs', replaces: 'keys', diffKind: 'diffKind' },
  document: { old: 'oldState', now: 'newState', diffs: 'diffReasons', replaces: 'replaceReasons', diffKind: 'kind' },
} as const;

function stepAt(place: Place, name: (typeof names)[keyof typeof names]): PulumiStep {
  const { urn, type } = resourceAt(under(place, 'urn'));
  const detailed = membersIn(under(place, 'detailedDiff'));
  const named = itemsIn(under(place, name.diffs)).map(textIn);
  const replacing = itemsIn(under(place, name.replaces)).map(textIn);
  const forcing = detailed.filter(([, diff]) => String(inside(diff, name.diffKind).value).endsWith('-replace')).map(([path]) => path);
  return {
    op: textOf(under(place, 'op'), token, 'an operation'),
    urn,
    type,
    old: stateAt(under(place, name.old)),
    now: stateAt(under(place, name.now)),
    ways: waysOf(detailed.length > 0 ? detailed.map(([path]) => path) : [...named, ...replacing]),
    replaceWays: waysOf([...forcing, ...replacing]),
  };
}

const waysOf = (paths: readonly string[]): Way[] => [...new Set(paths)].map((path) => wayOf(path) ?? [path]);

function documentAt(root: Place): PulumiEvent {
  const summary = under(root, 'changeSummary');
  return {
    kind: 'document',
    steps: itemsIn(under(root, 'steps')).map((step) => stepAt(step, names.document)),
    said: itemsIn(under(root, 'diagnostics')).flatMap((one) => saidAt(one) ?? []),
    summary: isThere(summary) ? summaryAt(root, 'changeSummary') : undefined,
  };
}

/** What is said for debugging is nobody's. */
const severities: ReadonlyMap<unknown, Said['severity']> = new Map([
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'info'],
  ['info#err', 'info'],
]);

function saidAt(place: Place): Said | undefined {
  const severity = severities.get(under(place, 'severity').value);
  if (severity === undefined) return undefined;
  const [urn, message] = [under(place, 'urn').value, under(place, 'message').value];
  return { severity, urn: typeof urn === 'string' && urn !== '' ? urn : undefined, message: typeof message === 'string' ? message : '' };
}

function summaryAt(place: Place, counted: string): Summary {
  const counts = new Map(membersIn(under(place, counted)).map(([op, count]) => [op, countIn(count)]));
  return { counts, corrupt: flagIn(under(place, 'maybeCorrupt')), failed: textOrNone(under(place, 'result'), token, 'a result') === 'failed' };
}
