import { problemOf } from '../errors/error.ts';
import { policyPath } from '../policy/policy-file.ts';
import type { CodeHost } from '../ports/code-host.ts';
import { present } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import type { ControlWorld } from './world.ts';

/** How long the host must have been silent before anything goes on without it, ms: a hiccup opens nothing. */
export const silence = 5 * 60_000;
/** How far apart two looks may lie that are one silence, ms: what happened in a longer gap nobody saw. */
const oneSilence = 3 * 60_000;

/** A step's look at its host, and what it came to. */
export interface WatchedHost {
  readonly world: ControlWorld;
  /** Whether a failure was the host's silence. One that refuses (403, 404, a rate limit) is not away. */
  readonly away: (error: unknown) => boolean;
  readonly wasSilent: () => boolean;
  /** It was asked, and left no question without an answer; a refusal is one. */
  readonly hasAnswered: () => boolean;
  /** The policy that was read, where it was: its text, absent where the default branch has none. */
  readonly policy: () => { readonly text?: string } | undefined;
}

export function watchedHost(world: ControlWorld): WatchedHost {
  const silent = new Set<unknown>();
  let [answered, policy]: [boolean, { readonly text?: string } | undefined] = [false, undefined];
  const watch = async (call: () => unknown): Promise<unknown> => {
    try {
      const found = await call();
      answered = true;
      return found;
    } catch (error) {
      if (['PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT'].includes(problemOf(error).code)) silent.add(error);
      else answered = true;
      throw error;
    }
  };
  const readsPolicy = ({ file, defaultTip }: CodeHost): Pick<CodeHost, 'file' | 'defaultTip'> => {
    let tip: string | undefined;
    return {
      async defaultTip(repository) {
        tip = await defaultTip(repository);
        if (tip === undefined) policy = {};
        return tip;
      },
      async file(repository, path, commit) {
        const found = await file(repository, path, commit);
        if (path === policyPath && commit === tip) policy = found === undefined || found === 'not-a-file' ? {} : { text: Buffer.from(found).toString('utf8') };
        return found;
      },
    };
  };
  const wrapped = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, one]) => {
        if (typeof one === 'function') return [name, (...asked: unknown[]) => watch(() => (one as (...args: unknown[]) => unknown)(...asked))];
        return [name, name === 'surfaces' ? wrapped(one as object) : one];
      }),
    );
  const watched = wrapped({ ...world.codeHost, ...readsPolicy(world.codeHost) });
  return {
    world: { ...world, codeHost: watched as CodeHost },
    away: (error) => silent.has(error),
    wasSilent: () => silent.size > 0,
    hasAnswered: () => answered && silent.size === 0,
    policy: () => policy,
  };
}

/** The silence as it is known now: it began with the first of the looks that lie near each other. */
export function silenceOf({ away }: Run, now: number): NonNullable<Run['away']> {
  return away && now - away.last <= oneSilence ? { since: away.since, last: now } : { since: now, last: now };
}

export const isLong = ({ since, last }: NonNullable<Run['away']>): boolean => last - since >= silence;

/** How often a run looks whether the host answers, s. */
export const nextLook = 60;

/** Whether a look says something that the one before it did not: messages that come at once must not each bring the next. */
export const isNextLook = ({ away }: Run, now: number): boolean => away === undefined || now - away.last >= (nextLook * 1000) / 2;

/**
 * A look that was answered ends the silence: two hiccups are not one outage. It leaves the run's version, so that no step at work loses its own
 * write to it; over a silence that has begun since, it only makes that one longer.
 */
export async function endSilence(world: ControlWorld, { id, away }: Run): Promise<void> {
  if (away) await write(world, runKey(id), { remove: ['away'] }, present);
}
