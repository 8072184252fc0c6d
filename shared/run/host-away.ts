import { problemOf } from '../errors/error.ts';
import type { CodeHost } from '../ports/code-host.ts';
import type { Run } from './items.ts';
import type { ControlWorld } from './world.ts';

/** How long the host must have been silent before anything goes on without it, ms: a hiccup opens nothing. */
export const silence = 5 * 60_000;
/** How far apart two looks may lie that are one silence, ms: the schedule looks at every parked run each quarter of an hour. */
const oneSilence = 20 * 60_000;

/** A world that knows whether a failure was the silence of its host. A host that refuses (403, 404, a rate limit) is not away. */
export function watchedHost(world: ControlWorld): {
  readonly world: ControlWorld;
  readonly away: (error: unknown) => boolean;
  readonly wasSilent: () => boolean;
} {
  const silent = new Set<unknown>();
  const watch = async (call: () => unknown): Promise<unknown> => {
    try {
      return await call();
    } catch (error) {
      if (['PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT'].includes(problemOf(error).code)) silent.add(error);
      throw error;
    }
  };
  const wrapped = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, one]) => {
        if (typeof one === 'function') return [name, (...asked: unknown[]) => watch(() => (one as (...args: unknown[]) => unknown)(...asked))];
        return [name, name === 'surfaces' ? wrapped(one as object) : one];
      }),
    );
  return { world: { ...world, codeHost: wrapped(world.codeHost) as CodeHost }, away: (error) => silent.has(error), wasSilent: () => silent.size > 0 };
}

/** The silence as it is known now: it began with the first of the looks that lie near each other. */
export function silenceOf({ away }: Run, now: number): NonNullable<Run['away']> {
  return away && now - away.last <= oneSilence ? { since: away.since, last: now } : { since: now, last: now };
}

/** What a run forgets whose guard the host has answered: what falls silent next is another silence. */
export const awayNoMore = ({ codeHost }: Pick<ControlWorld, 'codeHost'>): readonly 'away'[] => (codeHost.unverified ? [] : ['away']);

export const isLong = ({ since, last }: NonNullable<Run['away']>): boolean => last - since >= silence;

/** How often a run whose guard has begun looks whether the host answers, s. */
export const nextLook = 60;
