import { createServer, type IncomingMessage, type Server } from 'node:http';
import { ZodError, z } from 'zod';
import type { Sim } from '../sim.ts';
import type { Answer } from '../wire/answer.ts';
import { objectOf } from '../wire/answer.ts';
import type { LogQuery } from '../wire/log.ts';
import { type Provider, providers, type RuleInput } from '../wire/rule.ts';
import type { StandingRule } from '../wire/rulebook.ts';
import { respond } from '../wire/server.ts';
import { worldOf } from '../world/file.ts';
import { type EditName, edits } from './edits.ts';
import { NoSuchThing } from './places.ts';
import type { SettingsInput } from './settings.ts';

type Controlled = Pick<Sim, 'control' | 'state' | 'writes' | 'requests' | 'urls'>;

/** What the endpoint takes, as `GET /_control` lists it. */
const commands = {
  'GET /_control': 'this list',
  'GET /_control/state': 'everything the cloud holds, as JSON that `reset` takes',
  'GET /_control/writes?provider=&since=': 'requests that were meant to change something',
  'GET /_control/requests?provider=&since=': 'all requests with their bodies',
  'GET /_control/rules': 'the rules that stand',
  'POST /_control/rules': 'adds a rule: {provider, on, times, skip} and one of latencyMs, hold, hang, kill, drop, reset, nonsense, fail',
  'DELETE /_control/rules': 'takes every rule away',
  'POST /_control/release': 'lets held requests go on',
  'POST /_control/settings': 'sets {neon, vercel, clerk, github}: pageSize, operationMs, builds, outcome, …',
  'POST /_control/edit': `does what a person does: {edit, …}, where edit is one of ${Object.keys(edits).join(', ')}`,
  'POST /_control/redeliver': 'sends a webhook once more: {id}, or the last one',
  'POST /_control/reset': 'replaces everything: {state}, or the demo when there is none',
} as const;

/** The control endpoint as a server. It asks for no credential: it listens on 127.0.0.1 only. */
export function controlServer(sim: Controlled, rules: () => readonly StandingRule[]): Server {
  return createServer((message, response) => {
    void read(message)
      .then((text) => answerTo(sim, rules, message, text))
      .then((answer) => respond(response, answer));
  });
}

async function answerTo(sim: Controlled, rules: () => readonly StandingRule[], message: IncomingMessage, text: string): Promise<Answer> {
  const url = new URL(message.url ?? '/', 'http://sim');
  try {
    return { status: 200, body: await command(sim, rules, `${message.method} ${url.pathname}`, url.searchParams, text === '' ? {} : JSON.parse(text)) };
  } catch (error) {
    return { status: 400, body: { error: explain(error), commands } };
  }
}

function command(sim: Controlled, rules: () => readonly StandingRule[], name: string, query: URLSearchParams, body: unknown): unknown {
  const { control } = sim;
  switch (name) {
    case 'GET /_control':
      return { urls: sim.urls, commands };
    case 'GET /_control/state':
      return sim.state();
    case 'GET /_control/writes':
      return sim.writes(logQuery(query));
    case 'GET /_control/requests':
      return sim.requests(logQuery(query));
    case 'GET /_control/rules':
      return rules();
    case 'POST /_control/rules':
      return { id: control.rule(body as RuleInput) };
    case 'DELETE /_control/rules':
      control.clear();
      return {};
    case 'POST /_control/release':
      return { released: control.release() };
    case 'POST /_control/settings':
      control.set(body as SettingsInput);
      return {};
    case 'POST /_control/edit':
      return doEdit(sim, body);
    case 'POST /_control/redeliver':
      return redeliver(sim, body);
    case 'POST /_control/reset': {
      const { state } = z.strictObject({ state: z.unknown().optional() }).parse(body);
      control.reset(state === undefined ? undefined : worldOf(state));
      return {};
    }
    default:
      throw new NoSuchThing(`there is no ${name}`);
  }
}

async function redeliver({ control }: Controlled, body: unknown): Promise<unknown> {
  const { id } = z.strictObject({ id: z.string().optional() }).parse(body);
  const delivery = await control.redeliver(id);
  if (delivery === undefined) throw new NoSuchThing(id === undefined ? 'no webhook was delivered yet' : `no webhook was delivered under ${id}`);
  return delivery;
}

function doEdit(sim: Controlled, body: unknown): unknown {
  const { edit: name, ...input } = objectOf(body) ?? {};
  if (typeof name !== 'string' || !Object.hasOwn(edits, name))
    throw new NoSuchThing(`there is no edit ${String(name)}; there is: ${Object.keys(edits).join(', ')}`);
  return sim.control.edit(name as EditName, input as never);
}

function logQuery(query: URLSearchParams): LogQuery {
  const provider = query.get('provider');
  const since = query.get('since');
  if (provider !== null && !providers.includes(provider as Provider))
    throw new NoSuchThing(`there is no provider ${provider}; there is: ${providers.join(', ')}`);
  return { provider: provider === null ? undefined : (provider as Provider), since: since === null ? undefined : Number(since) };
}

function explain(error: unknown): string {
  if (error instanceof ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
