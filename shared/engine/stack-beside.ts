import type { JobAnswer } from '../run/items.ts';
import type { StackOp } from './op.ts';
import { leaves } from './resolve.ts';
import { secretInIdentity } from './secret-in-identity.ts';
import { lookOf, stackRequest, unready } from './stack-job.ts';
import { storeStackOutputs } from './stack-outputs.ts';
import { inHand, type StackPlanning } from './stack-plan.ts';
import { runForPlan } from './stack-run.ts';
import { leftBeside } from './ticked-line.ts';

/**
 * A stack that a tick leaves as it is. Where other lines take what it gives its tool is asked for that, without a lock, and writes nothing. What a
 * pending change would make of an output is not there yet: whoever needs that one waits. Nobody fails because of it.
 */
export async function stackBeside(job: StackPlanning, stackOp: StackOp): Promise<JobAnswer> {
  const { world, line, op } = job;
  if (line.spec.dependants.length === 0 || leaves(job.params).some(({ value }) => value.kind !== 'known')) return { result: leftBeside };
  const hand = inHand(job, stackOp);
  if (secretInIdentity(world, 'The name of a stack', [hand.identity.key]) ?? unready(job, hand)) return { result: leftBeside };
  const ran = await runForPlan(job, line, stackRequest(job, hand, { do: 'plan', lock: false, ...lookOf(false) }));
  if ('later' in ran) return ran;
  if ('lost' in ran || ran.outcome.did !== 'planned') return { result: leftBeside };
  const { changes, outputs } = ran.outcome.plan;
  const pending = new Set(changes.filter(({ type }) => type === 'output').map(({ address }) => address));
  const given = Object.fromEntries(Object.entries(outputs).filter(([name]) => !pending.has(`output.${name}`)));
  const stored = storeStackOutputs(world, op, line.spec, given);
  return { result: { ...leftBeside, outputs: stored.outputs }, secret: stored.secret };
}
