import type { ClerkState } from '../clerk/state.ts';
import type { GitHubState } from '../github/state.ts';
import type { NeonState } from '../neon/state.ts';
import type { RestState } from '../rest/state.ts';
import type { SlackState } from '../slack/state.ts';
import type { VercelState } from '../vercel/state.ts';
import type { Source } from './ids.ts';

/** Everything the fake cloud holds, as plain JSON: it is exported, imported and kept in a file as it is. */
export interface World {
  readonly format: 1;
  readonly source: Source;
  readonly neon: NeonState;
  readonly vercel: VercelState;
  readonly clerk: ClerkState;
  readonly github: GitHubState;
  readonly rest: RestState;
  readonly slack: SlackState;
}

/** The world as a route or an edit works on it: with a clock and with the address of the provider that is asked. */
export interface Scene {
  readonly world: World;
  /** Now, in milliseconds since the epoch. Does not move within a request. */
  readonly now: number;
  /** A moment for something new: now, and always later than every moment handed out before. */
  moment(): number;
  /** Base URL of each provider, without a slash at the end. */
  readonly urls: {
    readonly neon: string;
    readonly vercel: string;
    readonly clerk: string;
    readonly github: string;
    readonly rest: string;
    readonly slack: string;
  };
}

export function scene(world: World, now: number, urls: Scene['urls']): Scene {
  return {
    world,
    now,
    urls,
    moment: () => {
      world.source.moment = Math.max(now, world.source.moment + 1);
      return world.source.moment;
    },
  };
}

/** An instant as providers write it: `2026-01-31T12:00:00Z`, or with milliseconds where there are some. */
export function iso(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}
