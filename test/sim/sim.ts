/**
 * The fake cloud: Neon, Vercel, Clerk and GitHub as HTTP servers on 127.0.0.1, and a control endpoint beside them.
 *
 * It is written from the providers' descriptions and shares no code with the adapters and surfaces that talk to it: a
 * misunderstanding must not be encoded twice. Each provider's `routes.ts` numbers what it assumes.
 */

import { clerkError } from './clerk/errors.ts';
import { clerkRoutes } from './clerk/routes.ts';
import { type EditInput, type EditName, type EditOutput, edits } from './control/edits.ts';
import { controlServer } from './control/endpoint.ts';
import { applySettings, type SettingsInput } from './control/settings.ts';
import { refuseGitHub } from './github/auth.ts';
import { githubError } from './github/errors.ts';
import { githubRoutes } from './github/routes.ts';
import { neonError } from './neon/errors.ts';
import { neonRoutes } from './neon/routes.ts';
import { demoSeed } from './seed.ts';
import { vercelError } from './vercel/errors.ts';
import { vercelRoutes } from './vercel/routes.ts';
import type { Answer, Incoming } from './wire/answer.ts';
import { type LoggedRequest, type LoggedWrite, type LogQuery, select, writesOf } from './wire/log.ts';
import { type Routes, route } from './wire/router.ts';
import type { Provider, RuleInput } from './wire/rule.ts';
import { addRule, emptyRulebook, meet } from './wire/rulebook.ts';
import { type Backend, listen, serve } from './wire/server.ts';
import { load, save } from './world/file.ts';
import { type Scene, scene, type World } from './world/world.ts';

export interface SimOptions {
  /** What the cloud holds at the start; `demoSeed()` when absent. */
  readonly state?: World;
  /** Keeps the cloud in this file: read at the start when it exists (`state` is then not used), written at every change. */
  readonly file?: string;
  /** The time, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Fixed ports; any free one where none is given. */
  readonly ports?: Partial<Record<Provider | 'control', number>>;
}

/** What a test can do to the cloud from within its process. The control endpoint does the same over HTTP. */
export interface Control {
  /** Adds a rule and returns its number. */
  rule(rule: RuleInput): number;
  /** Takes every rule away. Held requests stay held. */
  clear(): void;
  /** Lets held requests go on and returns how many there were. */
  release(): number;
  /** How many requests are held now. */
  held(): number;
  set(settings: SettingsInput): void;
  /** Does what a person does in a console or on GitHub. Throws ZodError or NoSuchThing. */
  edit<Name extends EditName>(name: Name, input: EditInput<Name>): EditOutput<Name>;
  /** Replaces everything the cloud holds; rules, logs and held requests go as well. */
  reset(state?: World): void;
}

export interface Sim {
  /** Base URL of each provider, as its `*_API_URL` variable takes it. */
  readonly urls: Readonly<Record<Provider, string>>;
  /** Base URL of the control endpoint: `http://127.0.0.1:<port>/_control`. */
  readonly controlUrl: string;
  readonly control: Control;
  /** A copy of everything the cloud holds. */
  state(): World;
  /** Every request that was meant to change something, in the order of arrival. */
  writes(query?: LogQuery): LoggedWrite[];
  /** Every request with its body, in the order of arrival. */
  requests(query?: LogQuery): LoggedRequest[];
  stop(): Promise<void>;
}

/** Starts the fake cloud. Rejects when a port is taken or the file is no fake cloud. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const now = options.now ?? Date.now;
  const log: LoggedRequest[] = [];
  let arrivals = 0;
  let book = emptyRulebook();
  let world = (options.file === undefined ? undefined : load(options.file)) ?? structuredClone(options.state) ?? demoSeed();
  let waiting: (() => void)[] = [];
  const urls: Record<Provider, string> = { neon: '', vercel: '', clerk: '', github: '' };
  const here = (): Scene => scene(world, now(), urls);
  const keep = (): void => {
    if (options.file !== undefined) save(options.file, world);
  };

  function backend(provider: Provider, prefix: string, routes: Routes<Scene>, error: Backend['error'], refuse: Backend['refuse']): Backend {
    return {
      provider,
      prefix,
      error,
      refuse,
      arrive: (method, path, query, body) => {
        const entry: LoggedRequest = { at: ++arrivals, provider, method, path, query, body, status: undefined, performed: false };
        log.push(entry);
        return entry;
      },
      meet: (method, path) => meet(book, provider, method, path),
      hold: () => new Promise((resolve) => waiting.push(resolve)),
      perform: (request) => {
        const before = world.source.counter;
        const answer = perform(routes, request, here(), error);
        if (answer.status < 400 && (request.method !== 'GET' || world.source.counter !== before)) keep();
        return answer;
      },
    };
  }

  const bearer = (refusal: Answer) => (request: Incoming) => (/^bearer \S+$/i.test(request.headers['authorization'] ?? '') ? undefined : refusal);
  const control: Control = {
    rule: (rule) => addRule(book, rule),
    clear: () => {
      book = { ...emptyRulebook(), next: book.next };
    },
    release: () => {
      const released = waiting;
      waiting = [];
      for (const go of released) go();
      return released.length;
    },
    held: () => waiting.length,
    set: (settings) => {
      applySettings(world, settings);
      keep();
    },
    edit: (name, input) => {
      const output = applyEdit(name, input, here());
      keep();
      return output;
    },
    reset: (state) => {
      world = structuredClone(state) ?? demoSeed();
      book = emptyRulebook();
      log.length = 0;
      arrivals = 0;
      keep();
      control.release();
    },
  };

  const { ports = {} } = options;
  const servers = await Promise.all([
    serve(
      backend(
        'neon',
        '/api/v2',
        neonRoutes,
        (status, message, code = '') => neonError(status, code, message),
        bearer(neonError(401, '', 'supplied credentials do not pass authentication')),
      ),
      ports.neon ?? 0,
    ),
    serve(
      backend(
        'vercel',
        '',
        vercelRoutes,
        (status, message, code = 'unavailable') => vercelError(status, code, message),
        bearer(vercelError(401, 'forbidden', 'The request is missing an authentication token', { missingToken: true })),
      ),
      ports.vercel ?? 0,
    ),
    serve(
      backend(
        'clerk',
        '/v1',
        clerkRoutes,
        (status, message, code = 'internal_clerk_error') => clerkError(status, code, message),
        bearer(clerkError(401, 'authentication_invalid', 'Unable to authenticate the request')),
      ),
      ports.clerk ?? 0,
    ),
    serve(
      backend(
        'github',
        '',
        githubRoutes,
        (status, message) => githubError(status, message),
        (request) => refuseGitHub(request, here()),
      ),
      ports.github ?? 0,
    ),
  ]);
  const [neon, vercel, clerk, github] = servers;
  Object.assign(urls, { neon: neon.url, vercel: vercel.url, clerk: clerk.url, github: github.url });

  const sim = {
    urls,
    control,
    state: () => structuredClone(world),
    writes: (query: LogQuery = {}) => writesOf(log, query),
    requests: (query: LogQuery = {}) => select(log, query).map((entry) => ({ ...entry })),
  };
  const endpoint = await listen(
    controlServer(sim, () => book.rules),
    ports.control ?? 0,
    '/_control',
  );
  return {
    ...sim,
    controlUrl: endpoint.url,
    stop: async () => {
      await Promise.all([...servers, endpoint].map((server) => server.stop()));
      control.release();
    },
  };
}

function perform(routes: Routes<Scene>, request: Incoming, at: Scene, error: Backend['error']): Answer {
  const found = route(routes, request.method, request.path);
  if (found === undefined) return error(404, `no route ${request.method} ${request.path}`, 'not_found');
  return found.handler({ ...request, params: found.params }, at);
}

function applyEdit<Name extends EditName>(name: Name, input: EditInput<Name>, at: Scene): EditOutput<Name> {
  const { input: schema, apply } = edits[name];
  // Name ties input and output together, which the compiler cannot follow through the union of all edits.
  return (apply as (input: unknown, scene: Scene) => EditOutput<Name>)(schema.parse(input), at);
}
