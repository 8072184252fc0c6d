/**
 * The fake cloud: Neon, Vercel, Clerk, GitHub, Slack and any other JSON API as HTTP servers on 127.0.0.1, and a control endpoint beside them.
 *
 * It is written from the providers' descriptions and shares no code with the adapters and surfaces that talk to it: a
 * misunderstanding must not be encoded twice. Each provider's `routes.ts` numbers what it assumes.
 */
import { Cloud, type CloudOptions } from './cloud.ts';
import { type Control, controlOf } from './control/control.ts';
import { controlServer } from './control/endpoint.ts';
import { type LoggedRequest, type LoggedWrite, type LogQuery, select, writesOf } from './wire/log.ts';
import { type Provider, providers } from './wire/rule.ts';
import { listen, serve } from './wire/server.ts';
import type { World } from './world/world.ts';

export interface SimOptions extends CloudOptions {
  /** Fixed ports; any free one where none is given. */
  readonly ports?: Partial<Record<Provider | 'control', number>>;
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
  const cloud = new Cloud(options);
  const { ports = {} } = options;
  const servers = await Promise.all(providers.map((provider) => serve(cloud.backend(provider), ports[provider] ?? 0)));
  for (const [index, provider] of providers.entries()) cloud.urls[provider] = servers[index]?.url ?? '';
  const control = controlOf(cloud);
  const sim = {
    urls: cloud.urls,
    control,
    state: () => structuredClone(cloud.world),
    writes: (query: LogQuery = {}) => writesOf(cloud.log, query),
    requests: (query: LogQuery = {}) => select(cloud.log, query).map((entry) => ({ ...entry })),
  };
  const endpoint = await listen(
    controlServer(sim, () => cloud.book.rules),
    ports.control ?? 0,
    '/_control',
  );
  const stop = async (): Promise<void> => {
    cloud.close();
    await Promise.all([...servers, endpoint].map((server) => server.stop()));
  };
  return { ...sim, controlUrl: endpoint.url, stop };
}
