import type { Problem } from '../errors/error.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { bindTo, type Edited, endAcceptance, isMadeToAccept } from '../rulings/acceptance.ts';
import { type Found, keepFound } from '../rulings/found.ts';
import { runLifetime } from '../run/run-log.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { Evidence, Verdict } from './judge.ts';
import type { LiveResource } from './op.ts';
import { storable } from './secret-in-identity.ts';

/** Whether a resource was edited outside, and is refused for it. */
export const isEdited = (verdict: Verdict): boolean => verdict.do === 'refuse' && verdict.problem.code === 'DRIFT_CHANGED';

/** An edited resource as a person's word about it is bound to it. */
export const editedAs = ({ world, call }: Pick<Inspecting, 'world' | 'call'>, { op, change, live }: Evidence): Edited | undefined =>
  live && asBound(world, { adapter: op.adapter, account: call.identity, key: change.key }, live);

function asBound(world: Inspecting['world'], identity: Identity, live: LiveResource): Edited {
  const { id } = storable(world, live);
  return { identity: identityHash(identity), held: fingerprint(world.keys.fingerprint, live.hash), ...(id === undefined ? {} : { id }) };
}

const foundIn = ({ world }: Inspecting, resources: readonly Judged[]): Found =>
  resources.flatMap(({ identity, live }) => (live ? [asBound(world, identity, live)] : []));

/**
 * Keeps what a person's word about an edited line is, or will be, about. Of a refused line each edit, before it is shown; of one that is
 * accepted without anything having been shown, what its run found. An acceptance of nothing ends.
 */
export async function keepEdited(job: Inspecting, { resources, refusal, accepted }: Inspection): Promise<void> {
  const { world, scope, run, line } = job;
  if (refusal?.code === 'NOTHING_TO_ACCEPT') return endAcceptance(world, scope, run.id, line.spec.id);
  const refused = resources.filter(({ verdict }) => isEdited(verdict));
  const until = Math.floor(world.clock.now() / 1000) + runLifetime;
  if (refused.length > 0) await keepFound(world, scope, line.spec.id, 'accept', { run: run.id, resources: foundIn(job, refused), until });
  const left = resources.filter(({ verdict }) => verdict.do === 'leave' && verdict.drift?.accepted);
  if (!refusal && accepted) await bindTo(world, scope, accepted, foundIn(job, left));
}

/**
 * A person's word that leaves a line as somebody edited it, where nobody did, would be one about edits that nobody saw: its run says so, and
 * does nothing else with the line. A later round finds what became of an edit that was there.
 */
export function nothingToAccept({ run, line }: Pick<Inspecting, 'run' | 'line'>): Problem | undefined {
  if (!isMadeToAccept(run, line.spec.id) || run.round > 1) return undefined;
  if (line.spec.stack)
    return {
      code: 'NOTHING_TO_ACCEPT',
      message: `Line ${line.spec.id} is a stack, whose tool puts back what was edited whatever anybody accepts.`,
      hint: 'List what may differ under `drift.ignore` in lockkeeper.yaml: it is not told any more then.',
    };
  return { code: 'NOTHING_TO_ACCEPT', message: `Nothing of line ${line.spec.id} was edited outside.` };
}
