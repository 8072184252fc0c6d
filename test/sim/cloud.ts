import { faces } from './provider-table.ts';
import { demoSeed } from './seed.ts';
import type { Answer, Incoming } from './wire/answer.ts';
import type { Exchange } from './wire/exchange.ts';
import type { LoggedRequest } from './wire/log.ts';
import { route } from './wire/router.ts';
import type { Provider } from './wire/rule.ts';
import { emptyRulebook, meet } from './wire/rulebook.ts';
import type { Backend } from './wire/server.ts';
import { load, save } from './world/file.ts';
import { type Scene, scene, type World } from './world/world.ts';

/** Where the cloud begins, where it is kept, and what time it is there. */
export interface CloudOptions {
  /** What the cloud holds at the start; `demoSeed()` when absent. */
  readonly state?: World;
  /** Keeps the cloud in this file: read at the start when it exists (`state` is then not used), written at every change. */
  readonly file?: string;
  /** The time, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told of every request as it arrives; the answer is put into the exchange when it is sent. */
  readonly watch?: (exchange: Exchange) => void;
  /** Told of every request that a rule leaves without an answer: a test that owns the clock lets its time-out come then. */
  readonly hung?: (method: string, path: string) => void;
}

/** A held request: what lets it go on, or drops it. */
type Held = (go: boolean) => void;

/** The running cloud: what it holds, what was asked of it, and what it was told to do. */
export class Cloud {
  readonly urls: Record<Provider, string> = { neon: '', vercel: '', clerk: '', github: '', rest: '', slack: '' };
  readonly log: LoggedRequest[] = [];
  book = emptyRulebook();
  held: Held[] = [];
  /** Told whenever a request is held. */
  watchers: (() => void)[] = [];
  world: World;
  readonly #options: CloudOptions;
  #open = true;
  #arrivals = 0;

  constructor(options: CloudOptions) {
    this.#options = options;
    this.world = (options.file === undefined ? undefined : load(options.file)) ?? structuredClone(options.state) ?? demoSeed();
  }

  scene(): Scene {
    return scene(this.world, (this.#options.now ?? Date.now)(), this.urls);
  }

  keep(): void {
    if (this.#options.file !== undefined) save(this.#options.file, this.world);
  }

  /** Performs nothing from now on: requests that were held or delayed are cut off. */
  close(): void {
    this.#open = false;
    this.letGo(false);
  }

  /** Lets every held request go, on or away, and returns how many there were. */
  letGo(on: boolean): number {
    const released = this.held;
    this.held = [];
    for (const go of released) go(on);
    return released.length;
  }

  /** Forgets rules, logs and held requests. */
  forget(): void {
    this.letGo(false);
    this.log.length = 0;
    this.#arrivals = 0;
    this.book = emptyRulebook();
  }

  backend(provider: Provider): Backend {
    const face = faces[provider];
    return {
      provider,
      prefix: face.prefix,
      error: face.error,
      refuse: (request) => face.refuse(request, this.scene()),
      meet: (method, path) => meet(this.book, provider, method, path),
      arrive: (method, path, query, body) => this.#arrive(provider, method, path, query, body),
      hangs: ({ method, path }) => this.#options.hung?.(method, path),
      show: (exchange) => this.#options.watch?.(exchange),
      open: () => this.#open,
      hold: () => this.#hold(),
      perform: (request) => this.#perform(provider, request),
    };
  }

  #arrive(provider: Provider, method: string, path: string, query: string, body: string): LoggedRequest {
    this.#arrivals += 1;
    const entry: LoggedRequest = { at: this.#arrivals, provider, method, path, query, body, status: undefined, performed: false };
    this.log.push(entry);
    return entry;
  }

  #hold(): Promise<boolean> {
    return new Promise((resolve) => {
      this.held.push(resolve);
      for (const watcher of this.watchers) watcher();
    });
  }

  #perform(provider: Provider, request: Incoming): Answer {
    const { routes, error } = faces[provider];
    const found = route(routes, request.method, request.path);
    if (found === undefined) return error(404, `there is no ${request.method} ${request.path}`, 'not_found');
    const before = this.world.source.counter;
    const answer = found.handler({ ...request, params: found.params }, this.scene());
    // A read can change the world too: the first question about a commit starts its build.
    const changed = request.method !== 'GET' || this.world.source.counter !== before;
    if (answer.status < 400 && changed) this.keep();
    return answer;
  }
}
