import type { Problem } from '../errors/error.ts';
import { identityHash } from '../ledger/identity.ts';
import { type Found, keepFound } from '../rulings/found.ts';
import { isMadeFor } from '../rulings/lift.ts';
import { runLifetime } from '../run/run-log.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { Verdict } from './judge.ts';

/** Whether a resource is there, in no ledger, and written over by its line, or would be if a person let it. */
export const takesOver = (verdict: Verdict | undefined): boolean =>
  (verdict?.do === 'update' && verdict.adopts === true) || (verdict?.do === 'refuse' && verdict.problem.code === 'ADOPT_REQUIRED');

/** Keeps what a refused line is about to show of what it would take over, before it is shown: a person's word is about that. */
export async function keepShown({ world, scope, run, line }: Inspecting, { refusal, resources }: Inspection): Promise<void> {
  if (refusal?.code !== 'ADOPT_REQUIRED') return;
  const found: Found = resources.flatMap(({ verdict, live, identity }) =>
    takesOver(verdict) && live ? [{ identity: identityHash(identity), held: fingerprint(world.keys.fingerprint, live.hash) }] : [],
  );
  const until = Math.floor(world.clock.now() / 1000) + runLifetime;
  await keepFound(world, scope, line.spec.id, 'lift', { run: run.id, resources: found, until });
}

/**
 * A person's word about a line that has nothing to take over is no word about anything: its run says so instead of writing what nobody
 * spoke of. What this very run has taken over, before a death or in an earlier round, was there.
 */
export function nothingToAdopt({ run, line, ledger }: Inspecting, resources: readonly Judged[]): Problem | undefined {
  if (!isMadeFor(run, line.spec.id)) return undefined;
  if (resources.some(({ verdict }) => takesOver(verdict) || verdict.do === 'adopt')) return undefined;
  const taken = ledger?.entries.some((entry) => entry.createdBy === 'adopted' && (entry.run === run.id || entry.updatedBy === run.id));
  return taken ? undefined : { code: 'NOTHING_TO_ADOPT', message: `There is nothing that line ${line.spec.id} would have to take over.` };
}
