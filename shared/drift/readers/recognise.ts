import { inputLines } from './input.ts';
import { isMap, type Json, type JsonMap } from './json.ts';
import { parseJson } from './json-text.ts';
import { refreshHint } from './pulumi.ts';
import { UnreadableError } from './unreadable.ts';

/** A document that was parsed, or the bytes of a stream, of a kind that some reader reads. */
export type Input = { readonly kind: DocumentKind; readonly document: Json } | { readonly kind: StreamKind; readonly stream: Uint8Array };

export type StreamKind = 'a Pulumi event stream' | 'a plunge stream';
export type DocumentKind =
  | 'a Terraform or OpenTofu plan'
  | 'a Terraform or OpenTofu state'
  | 'a Pulumi refresh'
  | 'a choudoufu live plan'
  | 'a choudoufu listing'
  | 'a chant live diff'
  | 'a chant component status';
export type InputKind = StreamKind | DocumentKind;

/**
 * Says what an input is, by the names at its top.
 *
 * @throws UnreadableError for what no reader reads. What is like it and known is named, with what to give instead.
 */
export function recognised(bytes: Uint8Array): Input {
  if (!bytes.some(isSolid)) throw instead('it is empty', 'Look at what the tool said: whoever writes nothing has failed.');
  const first = firstOfSeveral(bytes);
  if (first !== undefined) return { kind: streamKind(first), stream: bytes };
  const document = parseJson(bytes);
  if (!isMap(document)) throw new UnreadableError('it is JSON and no map, as every document that is known is', { pointer: '' });
  // One event alone is a stream that was cut: its reader says so.
  if (isLine(document)) return { kind: streamKind(document), stream: bytes };
  return { kind: documentKind(document), document };
}

/** The first line as a map, where there are several lines and it is whole in itself. A document that is laid out over lines begins with half a map. */
function firstOfSeveral(bytes: Uint8Array): JsonMap | undefined {
  const lines = inputLines(bytes);
  const one = lines.next();
  if (one.done === true || lines.next().done === true) return undefined;
  const head = one.value.bytes;
  if (head.find(isSolid) !== 0x7b || head.findLast(isSolid) !== 0x7d) return undefined;
  const map = parseJson(head);
  return isMap(map) ? map : undefined;
}

const isSolid = (byte: number): boolean => byte > 0x20;

const isLine = (map: JsonMap): boolean =>
  (Object.hasOwn(map, 'sequence') && Object.keys(map).some((key) => key.endsWith('Event'))) ||
  /^drift-/.test(String(map['type'])) ||
  Object.hasOwn(map, '@level');

function streamKind(first: JsonMap): StreamKind {
  if (Object.hasOwn(first, 'sequence')) return 'a Pulumi event stream';
  const type = first['type'];
  if (typeof type === 'string' && type.startsWith('drift-')) return 'a plunge stream';
  if (Object.hasOwn(first, '@level'))
    throw instead('it is the log of a plan or an apply', 'Save the plan with `-out=plan.bin`, and give what `show -json plan.bin` prints.');
  throw new UnreadableError('it is a stream of lines that no reader knows', { line: 1 });
}

const has = (map: JsonMap, ...keys: readonly string[]): boolean => keys.every((key) => Object.hasOwn(map, key));

const kinds: readonly (readonly [DocumentKind, (map: JsonMap) => boolean])[] = [
  ['a Terraform or OpenTofu plan', (map) => has(map, 'format_version') && planKeys.some((key) => has(map, key))],
  ['a Terraform or OpenTofu state', (map) => has(map, 'format_version')],
  ['a Pulumi refresh', (map) => has(map, 'steps') || (has(map, 'changeSummary') && has(map, 'duration'))],
  ['a choudoufu live plan', (map) => has(map, 'estate', 'bound')],
  ['a choudoufu listing', (map) => has(map, 'estate', 'items')],
  ['a chant live diff', (map) => has(map, 'lexicons')],
  ['a chant component status', (map) => has(map, 'env', 'rows')],
];

const planKeys = ['planned_values', 'resource_changes', 'resource_drift', 'prior_state', 'configuration'];

function documentKind(map: JsonMap): DocumentKind {
  const kind = kinds.find(([, is]) => is(map))?.[0];
  if (kind !== undefined) return kind;
  if (has(map, 'version', 'lineage')) throw instead('it is a state file as it is stored', 'Give what `show -json` prints of it.');
  if (has(map, 'resourcePlans')) throw instead('it is a saved plan of Pulumi, which says nothing of what is live', refreshHint);
  if (has(map, 'version', 'deployment')) throw instead('it is the export of a Pulumi stack, which says nothing of what is live', refreshHint);
  if (has(map, 'drift', 'records')) throw instead('it is a drift document already', 'Use it as it is.');
  throw new UnreadableError('it is JSON of no kind that a reader knows', { pointer: '' });
}

const instead = (what: string, hint: string): UnreadableError => new UnreadableError(what, {}, hint);
