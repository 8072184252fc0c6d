import type { Effect } from '../approvals/effect.ts';
import type { Tenure } from '../lease/lease.ts';
import { type Head, saveHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Policy } from '../policy/types.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { judgeLedger } from '../run/judge-stored.ts';
import { loadOrEnd, protectedBy } from '../run/load-plan.ts';
import { planGated } from '../run/prepare-gated.ts';
import { prepareLines } from '../run/prepare-lines.ts';
import { planRemoval, removeApproved, takenBy } from '../run/prepare-removal.ts';
import { removalGate } from '../run/removal-gate.ts';
import { isRemoval } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import { supersedeOlderRuns, supersedeOpenRuns } from '../run/supersede.ts';
import type { ControlWorld } from '../run/world.ts';
import { loadTicked, tickedByLine } from '../ticks/load-ticked.ts';

/** What a run that was approved is about to do: the one thing in which the guard of an apply and that of a removal differ. */
export interface Going {
  readonly policy: Policy;
  /** What that protects of what it writes. */
  readonly protects: readonly string[];
  /** Of the plan file, where there is one: what was approved was made of it. */
  readonly hash?: string;
  /** Plans every line once more, for a recheck. */
  plan(run: Run, protects: readonly string[]): Promise<void>;
  /** What it takes over of the scope before its first write. */
  takeScope(held: { readonly tenure: Tenure; readonly head: Head; readonly decided: boolean }): Promise<void>;
  /** Hands the approved effects to the lines. False: the step's time is up, and another one goes on. */
  prepare(run: Run, tenure: Tenure, approved: ReadonlyMap<string, readonly Effect[]>): Promise<boolean>;
}

/** Undefined: what the run is made of cannot be read, and it has ended. */
export const goingOf = (world: ControlWorld, run: Run): Promise<Going | undefined> => (isRemoval(run.kind) ? removing : applying)(world, run);

async function applying(world: ControlWorld, run: Run): Promise<Going | undefined> {
  const ticked = run.options.ticked ? await loadTicked(world, run) : undefined;
  const loaded = run.options.ticked ? ticked?.loaded : await loadOrEnd(world, run);
  if (!loaded) return undefined;
  return {
    policy: loaded.policy,
    protects: protectedBy(world, run, loaded),
    hash: loaded.hash,
    plan: (again, protects) => planGated(world, again, loaded, protects, ticked && tickedByLine(ticked.effects)),
    async takeScope({ tenure, head, decided }) {
      // A person's run of any commit that has nothing to write takes nobody's place. One that follows the host is what the scope is to be.
      if (decided || run.intent === 'follow') await supersedeOlderRuns(world, run);
      if (head.tombstone) await saveHead(world, runScope(run), tenure, head, {}, ['tombstone']);
    },
    prepare(saved, tenure, approved) {
      const warnings = [...loaded.warnings, ...(saved.warnings ?? []).filter(({ code }) => code === 'DRIFT_GONE')];
      return prepareLines(world, saved, loaded, { kind: 'apply', warnings, gated: true, approved }, tenure);
    },
  };
}

/** A removal works from the ledger alone, read and judged under the lease. A destroy leaves its tombstone before its first delete (P5). */
async function removing(world: ControlWorld, run: Run): Promise<Going | undefined> {
  await judgeLedger(world, run);
  const ledger = await readLedger(world.table, runScope(run));
  const gate = await removalGate(world, run, takenBy(run, ledger));
  if (gate.is !== 'asked') {
    // Nobody's word can be judged by a policy that cannot be read. It was asked, so it is never free.
    await closeEarly(world, run, 'failed', 'Its policy cannot be read.', gate.is === 'refused' ? gate.problem : undefined);
    return undefined;
  }
  return {
    policy: gate.policy,
    protects: gate.protects,
    plan: (again, protects) => planRemoval(world, again, ledger, { ...gate, protects }),
    async takeScope({ tenure, head }) {
      if (run.kind !== 'destroy') return;
      await supersedeOpenRuns(world, run, head.openRuns);
      await saveHead(world, runScope(run), tenure, head, { tombstone: { run: run.id, at: new Date(world.clock.now()).toISOString() } });
    },
    prepare: (saved, tenure, approved) => removeApproved(world, saved, ledger, tenure, approved),
  };
}
