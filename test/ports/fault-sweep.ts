/** One fault at a time, at every call that a story's functions make on their ports. */
import { describe, expect, test } from 'vitest';
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

/** A story, and what stands before it begins: that is told undisturbed. */
export interface SweepParts extends WorkbenchParts {
  readonly first?: (bench: Workbench) => Promise<void>;
}

/** Tells each story once undisturbed, and once more with each fate at each of its calls. */
export function sweepFaults(what: string, stories: Readonly<Record<string, (bench: Workbench) => Promise<void>>>, { first, ...parts }: SweepParts = {}): void {
  describe.each(Object.entries(stories))(`%s, ${what}`, async (name, story) => {
    const untouched = openWorkbench('embedded', parts);
    await first?.(untouched);
    const skipped = untouched.fates.calls.length;
    await story(untouched);
    const calls = untouched.fates.calls.slice(skipped);

    test.each(['before', 'after', 'lost', 'unsent'] as const)('%s', { timeout: slowest }, async (fate: Fate) => {
      const broken: string[] = [];
      for (const [at, call] of calls.entries()) {
        // Each of these equals one that is tried: after a call is before the next of the same life; what follows a read follows
        // what was before the read; a read that was not sent is one that was not answered.
        const [last, next] = [calls[at - 1], calls[at + 1]];
        if (fate === 'after' && next?.life === call.life) continue;
        if (fate === 'before' && last?.life === call.life && !changes(last.name)) continue;
        if (fate === 'unsent' && !changes(call.name)) continue;
        if (only && (!name.includes(only[2] ?? '') || only[0] !== fate || Number(only[1]) !== at)) continue;
        const bench = openWorkbench('embedded', parts);
        await first?.(bench);
        bench.fates.plan(at, fate);
        try {
          await story(bench);
        } catch (error) {
          if (only) {
            console.log(bench.logged, error);
            console.log(bench.memory.items());
          }
          broken.push(`${at} ${bench.fates.met()}: ${error instanceof Error ? error.message : error}`);
        }
      }
      expect(broken).toEqual([]);
    });
  });
}
