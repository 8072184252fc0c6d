import { engines, reads, statuses, unobservedReasons, verdictSources, verdicts } from './record.ts';

/** A rule of the record that does not hold, by its name, and what it says. */
export interface BrokenRule {
  readonly rule: string;
  readonly says: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** What a value has to be, in words; undefined when it is that. */
type Check = (value: unknown) => string | undefined;

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

const text: Check = (value) => (isText(value) && value !== '' ? undefined : 'is a text and not empty');
const anyText: Check = (value) => (isText(value) ? undefined : 'is a text');
const yesOrNo: Check = (value) => (typeof value === 'boolean' ? undefined : 'is true or false');
const oneOf =
  (list: readonly string[]): Check =>
  (value) =>
    list.includes(value as string) ? undefined : `is one of ${list.join(', ')}`;
const either =
  (a: Check, b: Check): Check =>
  (value) =>
    a(value) === undefined || b(value) === undefined ? undefined : `${a(value)}, or ${b(value)}`;
const none: Check = (value) => (value === null ? undefined : 'is null');

const timeForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
/** Whether something is a time as RFC 3339 writes it. */
export const isTime = (value: unknown): value is string => isText(value) && timeForm.test(value) && !Number.isNaN(Date.parse(value));
const time: Check = (value) => (isTime(value) ? undefined : 'is a time as RFC 3339 writes it');

/** A map with these fields; one that is not named here may hold any JSON, and is carried. */
const map =
  (needs: Readonly<Record<string, Check>>, may: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isMap(value) ? brokenField(value, needs, may) : 'is a map';

function brokenField(value: Fields, needs: Readonly<Record<string, Check>>, may: Readonly<Record<string, Check>>): string | undefined {
  for (const [name, check] of Object.entries(needs)) {
    const broken = check(value[name]);
    if (broken !== undefined) return `${name} ${broken}`;
  }
  for (const [name, check] of Object.entries(may)) {
    const broken = value[name] === undefined ? undefined : check(value[name]);
    if (broken !== undefined) return `${name} ${broken}`;
  }
  const unknown = Object.entries(value).find(([name, held]) => !Object.hasOwn(needs, name) && !Object.hasOwn(may, name) && held !== undefined && !isJson(held));
  return unknown === undefined ? undefined : 'every other field holds JSON';
}

/** Deeper values are refused before something recurses too far into them. */
const deepest = 64;

export function isJson(value: unknown, depth = 0): boolean {
  if (depth > deepest) return false;
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return isMap(value) && Object.entries(value).every(([key, held]) => key.isWellFormed() && (held === undefined || isJson(held, depth + 1)));
}
const json: Check = (value) => (isJson(value) ? undefined : `is JSON of at most ${deepest} levels`);

const evidence = map({}, { tool: anyText, version: anyText, command: anyText, engineCode: anyText });
const unobserved = map({ reason: oneOf(unobservedReasons) }, { detail: anyText, queried: anyText });
const fingerprints = map({ key: text }, { before: text, after: text });
const attribute = map({ path: text }, { before: json, after: json, sensitive: yesOrNo, fingerprints });

const attributes: Check = (value) => {
  if (!Array.isArray(value)) return 'is a list';
  const broken = value.map(attribute).find((found) => found !== undefined);
  if (broken !== undefined) return `has an item whose ${broken}`;
  return new Set(value.map(({ path }) => path)).size === value.length ? undefined : 'has each path once';
};

const needs: Readonly<Record<string, Check>> = {
  member: text,
  engine: oneOf(engines),
  address: text,
  read: oneOf(reads),
  status: oneOf(statuses),
  node: either(text, none),
  observedAt: time,
};
const may: Readonly<Record<string, Check>> = {
  resourceType: text,
  instanceOf: text,
  fellBackFrom: text,
  unobserved,
  attributes,
  attributesUnobserved: unobserved,
  ownership: map({ verdict: oneOf(verdicts), by: oneOf(verdictSources) }, { markerOnObject: yesOrNo, ownedBy: anyText, adopt: either(yesOrNo, anyText) }),
  evidence,
};

/** Whether what a stream's start says for all its records could stand in one. */
export const isSharedByRecords = ({ fellBackFrom, evidence: of }: Fields): boolean =>
  (fellBackFrom === undefined || text(fellBackFrom) === undefined) && (of === undefined || evidence(of) === undefined);

/** The fields of a record, in the order in which they are written. */
export const fieldOrder: readonly string[] = [
  'member',
  'engine',
  'address',
  'resourceType',
  'node',
  'instanceOf',
  'observedAt',
  'read',
  'fellBackFrom',
  'status',
  'unobserved',
  'attributes',
  'attributesUnobserved',
  'ownership',
  'evidence',
];

/** The first rule that the fields break, or undefined (R3.9). */
export function brokenRule(fields: unknown): BrokenRule | undefined {
  const form = map(needs, may)(fields);
  if (form !== undefined) return { rule: 'form', says: form };
  return brokenMeaning(fields as Fields);
}

const ofState: readonly unknown[] = ['recorded', 'pending', 'not-observed'];

function brokenMeaning({ read, status, node, instanceOf, unobserved, attributes, attributesUnobserved }: Fields): BrokenRule | undefined {
  if (read === 'state' && !ofState.includes(status))
    return { rule: 'state-read', says: 'a state read says what was recorded, pending or not observed, and never what is live' };
  if (status === 'not-observed' && unobserved === undefined) return { rule: 'reason', says: 'what was not observed has a reason' };
  if (status !== 'not-observed' && unobserved !== undefined) return { rule: 'observed', says: 'only what was not observed has `unobserved`' };
  if (status !== 'drifted' && attributes !== undefined) return { rule: 'attributes', says: 'only what drifted has `attributes`' };
  if (attributesUnobserved !== undefined && status !== 'in-sync' && status !== 'drifted')
    return { rule: 'presence', says: '`attributesUnobserved` stands only where presence is known: in sync or drifted' };
  if (instanceOf !== undefined && node === null) return { rule: 'node', says: 'what is an instance of a block stands on a node' };
  return undefined;
}
