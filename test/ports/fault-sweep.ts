/** One fault at a time, at every call that a story's functions make on their ports. */
import { describe, expect, test } from 'vitest';
import { canonical } from '../model/canonical.ts';
import { disagreements } from './agreement.ts';
import type { Fate } from './mortal.ts';
import { openWorkbench, type Workbench, type WorkbenchParts } from './workbench.ts';

/** Only a provider's answer, lost while its line ran, may fail a run: a death or a store's silence costs time and nothing else. */
export const mayFail = (bench: Workbench): boolean => /^(lost|unsent) provider/.test(bench.fates.met() ?? '');

/** Quiet, and if something still stands, the schedule's step a few times: what a deployed stack does within the hour. */
export async function rest(bench: Workbench): Promise<void> {
  await bench.quiet();
  for (let times = 0; times < 4 && disagreements(bench).length > 0; times += 1) await bench.sweep();
  // A delete whose answer was lost has happened and is not yet known: the next run sees it.
  expect(disagreements(bench).filter((one) => !(mayFail(bench) && one.endsWith('in the ledger and not at the provider')))).toEqual([]);
}

/** `SWEEP_ONLY=fate:call:words of a story` tries one fault, and prints what happened. */
const only = process.env['SWEEP_ONLY']?.split(':');

const changes = (name: string): boolean => /write|put|control|lines|send|start|succeed/.test(name);

/** A story of several hundred calls, as often; on a machine that has other work. */
const slowest = 600_000;

/**
 * A part of a story, from rest to rest. It is given what the part before it returned, the id of a run where one goes on; one that
 * returns no text ends the story.
 */
export type Part = (bench: Workbench, run: string) => Promise<unknown>;

/** A story, and what stands before it begins: that is told undisturbed. */
export interface SweepParts extends WorkbenchParts {
  /** `embedded` by default. */
  readonly stack?: 'embedded' | 'deployed';
  readonly first?: (bench: Workbench) => Promise<void>;
}

/** Where a part begins: what brings the world back there, how many calls lie before it, and what it is given. */
interface Place {
  readonly back: () => void;
  readonly calls: number;
  readonly run: string;
}

/**
 * Tells each story once undisturbed, and once more with each fate at each of its calls. A story in parts is taken up at the part in which
 * the fault falls, and left where a part ends as one has ended before that was judged as strictly: what follows has been seen.
 */
export function sweepFaults(what: string, stories: Readonly<Record<string, Part | readonly Part[]>>, parts: SweepParts = {}): void {
  describe.each(Object.entries(stories))(`%s, ${what}`, async (name, story) => {
    const told = await tellOnce(Array.isArray(story) ? story : [story as Part], parts);

    test.each(['before', 'after', 'lost', 'unsent'] as const)('%s', { timeout: slowest }, async (fate: Fate) => {
      const broken: string[] = [];
      for (const [at, call] of told.calls.entries()) {
        // Each of these equals one that is tried: after a call is before the next of the same life; what follows a read follows
        // what was before the read; a read that was not sent is one that was not answered.
        const [last, next] = [told.calls[at - 1], told.calls[at + 1]];
        if (fate === 'after' && next?.life === call.life) continue;
        if (fate === 'before' && last?.life === call.life && !changes(last.name)) continue;
        if (fate === 'unsent' && !changes(call.name)) continue;
        if (only && (!name.includes(only[2] ?? '') || only[0] !== fate || Number(only[1]) !== at)) continue;
        await told.tell(at, fate).catch((error: Error) => broken.push(`${at} ${error.message}`));
      }
      expect(broken).toEqual([]);
    });
  });
}

interface ToldStory {
  readonly calls: readonly { readonly name: string; readonly life: number }[];
  /** Once more, with this fate at that call. @throws Error that names the call, where the story does not end as it should. */
  tell(at: number, fate: Fate): Promise<void>;
}

async function tellOnce(story: readonly Part[], { first, stack = 'embedded', ...parts }: SweepParts): Promise<ToldStory> {
  const begun = async (): Promise<Workbench> => {
    const bench = openWorkbench(stack, parts);
    await first?.(bench);
    return bench;
  };
  let bench = await begun();
  const skipped = bench.fates.calls.length;
  const places: Place[] = [{ back: bench.keep(), calls: 0, run: '' }];
  /** By part, the ends of it that have been gone on from. */
  const seen = story.map(() => new Set<string>());
  for (const [number, part] of story.entries()) {
    const run = await part(bench, places[number]?.run ?? '');
    if (number === story.length - 1) break;
    if (typeof run !== 'string') throw new Error(`part ${number + 1} of a story ends it, undisturbed`);
    seen[number]?.add(endOf(bench, false));
    places.push({ back: bench.keep(), calls: bench.fates.calls.length - skipped, run });
  }
  const calls = bench.fates.calls.slice(skipped);

  /** Whether everything that can follow has been seen: from here, judged no less strictly. */
  function isSeen(number: number): boolean {
    const ends = seen[number] as Set<string>;
    if (ends.has(endOf(bench, false)) || ends.has(endOf(bench, mayFail(bench)))) return true;
    ends.add(endOf(bench, mayFail(bench)));
    return false;
  }

  return {
    calls,
    async tell(at, fate) {
      const from = places.findLastIndex((place) => place.calls <= at);
      const place = places[from] as Place;
      // A story in one part may leave behind what is not kept: it gets a world of its own.
      if (story.length === 1) bench = await begun();
      else place.back();
      bench.fates.plan(at - place.calls, fate);
      try {
        let run: unknown = place.run;
        for (let number = from; number < story.length && typeof run === 'string'; number += 1) {
          run = await (story[number] as Part)(bench, run);
          if (number < story.length - 1 && isSeen(number)) break;
        }
      } catch (error) {
        if (only) console.log(bench.logged, error, bench.memory.items());
        throw new Error(`${bench.fates.met()}: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

/** What a later part can tell an end by: the world, what was sent to the provider until then, which functions gave up. Slack is not brought back. */
function endOf(bench: Workbench, lenient: boolean): string {
  if (bench.slack.calls.length > 0) throw new Error('a story in parts posts no card');
  const died = bench.logged.filter(({ message }) => / died$/.test(message)).length;
  const sent = bench.provider.writes.map(({ method, name }) => `${method} ${name}`);
  return `${canonical(bench)} ${sent.join()} ${died} ${lenient}`;
}
