import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Applied, LiveResource, Op, OpCall, OpRegistry, Reading, ResourceChange } from '../../shared/engine/op.ts';
import { fieldHashes, isValue, type Resolved, type ResolvedParams, sideOf, type Value } from '../../shared/engine/value.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { scalar, value } from '../../shared/plan/value-forms.ts';
import { deployment, type Thing, thing } from './example-provider.ts';

/** What the op read: things by key, those that are still being made among them. */
type Live = ReadonlyMap<string, Thing>;

const params = z.strictObject({
  /** Name → value. */
  things: z.record(z.string(), value(scalar)).default({}),
  /** Stands before every name: part of the key. */
  prefix: value(z.string()).optional(),
  /** How many looks a new thing takes until it is there. */
  busy: z.number().optional(),
  /** The environment the line says it writes. */
  environment: z.string().optional(),
});

const prefixOf = (given: ResolvedParams): string => {
  const prefix = given['prefix'];
  return prefix && isValue(prefix) && prefix.kind === 'known' ? `${prefix.value}-` : '';
};
const keyOf = (name: string) => `thing:${name}`;
const nameOf = (key: string) => key.slice('thing:'.length);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const resourceOf = ({ name, id, value: text, createdAt }: Thing): LiveResource => ({
  key: keyOf(name),
  id,
  hash: hashOf(text),
  label: `thing ${name}`,
  createdAt,
});

const listed = (call: OpCall): Promise<Thing[]> =>
  call.http.send({ method: 'GET', path: 'things', query: { place: call.identity['place'] }, answer: z.array(thing) });

function wantedOf(given: ResolvedParams): [string, Value][] {
  const prefix = prefixOf(given);
  return Object.entries((given['things'] ?? {}) as Record<string, Resolved>).map(([name, one]) => [prefix + name, one as Value]);
}

async function read(given: ResolvedParams, call: OpCall): Promise<Reading<Live>> {
  const wanted = new Set(wantedOf(given).map(([name]) => name));
  const found = new Map((await listed(call)).map((one) => [one.name, one]));
  const live: Live = new Map([...wanted].flatMap((name) => (found.has(name) ? [[keyOf(name), found.get(name) as Thing]] : [])));
  const resources = [...live.values()].filter((one) => one.busy === 0).map(resourceOf);
  return { resources, outputs: outputsOf([...live.values()].filter((one) => one.busy === 0)), live };
}

function outputsOf(things: readonly Thing[]): Record<string, string> {
  const [first] = things;
  return first ? { id: first.id, value: first.value, token: `token-of-${first.id}` } : {};
}

function diff(given: ResolvedParams, { live }: Reading<Live>): ResourceChange[] {
  return wantedOf(given).map(([name, wanted]): ResourceChange => {
    const found = live.get(keyOf(name));
    const there = found?.busy === 0 ? found : undefined;
    const same = wanted.kind === 'keep' || (wanted.kind === 'known' && there?.value === String(wanted.value));
    const before = there ? ({ state: 'literal', value: there.value } as const) : ({ state: 'absent' } as const);
    const hash = wanted.kind === 'known' ? { hash: hashOf(String(wanted.value)) } : {};
    const kind = !there ? 'create' : same ? 'unchanged' : 'update';
    return {
      key: keyOf(name),
      kind,
      label: `thing ${name}`,
      ...hash,
      fields: same ? [] : [{ path: 'value', before, after: sideOf(wanted), ...fieldHashes(there?.value, wanted) }],
    };
  });
}

async function apply(given: ResolvedParams, { live }: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const values = new Map(wantedOf(given).map(([name, one]) => [keyOf(name), one.kind === 'known' ? String(one.value) : '']));
  const made: Thing[] = [];
  for (const { key, kind } of changes) {
    const found = live.get(key);
    const body = {
      place: call.identity['place'],
      name: nameOf(key),
      value: values.get(key),
      busy: Number((given['busy'] as Value & { value: number })?.value ?? 0),
    };
    if (kind === 'update') made.push(await call.http.send({ method: 'PATCH', path: `things/${found?.id}`, body, answer: thing }));
    else made.push(found ?? (await call.http.send({ method: 'POST', path: 'things', body, answer: thing })));
  }
  if (made.some((one) => one.busy > 0)) return { done: false, seconds: 2, why: 'the example provider is still at it' };
  const there = new Map([...live.values(), ...made].map((one) => [one.name, one]));
  const now = wantedOf(given).flatMap(([name]) => there.get(name) ?? []);
  const created = changes.filter((change) => change.kind === 'create').map((change) => change.key);
  const [first] = made.filter((one) => created.includes(keyOf(one.name)));
  const told = first ? { once: `told-once-of-${first.id}` } : {};
  return { done: true, resources: now.map(resourceOf), created, outputs: { ...outputsOf(now), ...told } };
}

async function lookup({ key, id }: { key: string; id?: string }, call: OpCall): Promise<LiveResource | undefined> {
  const found = (await listed(call)).find((one) => (id === undefined ? keyOf(one.name) === key : one.id === id));
  return found && { ...resourceOf(found), ...(keyOf(found.name) === key ? {} : { moved: true as const }) };
}

async function awaitExternal(_given: ResolvedParams, call: OpCall): Promise<Record<string, string> | undefined> {
  const { state, url } = await call.http.send({ method: 'GET', path: `deployments/${call.context.sha}`, answer: deployment });
  if (state === 'failure') throw new LockkeeperError({ code: 'EXTERNAL_FAILED', message: 'The deployment failed.' });
  return state === 'success' ? { url } : undefined;
}

/** `example.things`: any number of named values. Every behaviour an engine must deal with, and no HTTP. */
export const things: Op<Live> = {
  adapter: 'example',
  name: 'things',
  version: 1,
  credentials: [{ variable: 'EXAMPLE_TOKEN', createAt: 'https://example.test/tokens' }],
  baseUrl: { variable: 'EXAMPLE_API_URL', default: 'https://example.test' },
  provider: z.strictObject({ place: z.string().optional() }),
  params,
  outputs: {
    id: { available: 'immediate', about: 'Id of the first thing.' },
    value: { available: 'immediate', about: 'Its value.' },
    token: { available: 'immediate', sensitive: true, about: 'What opens it.' },
    once: { available: 'immediate', sensitive: true, once: true, about: 'What is told when it is made, and never again.' },
    url: { available: 'external', event: 'deploy', about: 'Where it is deployed.' },
  },
  keyParams: ['prefix'],
  nothingLive: new Map(),
  defaults: (given) => ({ things: {}, ...given }),
  writesEnvironment: (given) => (typeof given['environment'] === 'string' ? given['environment'] : undefined),
  identity: async (call) => ({ place: String(call.provider['place'] ?? 'here') }),
  read,
  diff,
  apply,
  lookup,
  destroy: async (resource, call) => void (await call.http.send({ method: 'DELETE', path: `things/${resource.id}`, answer: z.boolean() })),
  capture: (key, { live }) => {
    const found = live.get(key);
    return found && !found.value.startsWith('hidden') ? { secret: found.value } : undefined;
  },
  restore: async ({ id, key }, { secret }, call) => {
    await call.http.send({ method: 'PATCH', path: `things/${id}`, body: { name: nameOf(key), value: secret }, answer: thing });
  },
  awaitExternal,
  list: async (_given, call) => (await listed(call)).map(resourceOf),
  listParams: [],
};

export const exampleRegistry: OpRegistry = {
  find: (adapter, op) => (adapter === 'example' && op === 'things' ? (things as Op) : undefined),
  adapters: () => ['example'],
  ops: () => ['things'],
};
