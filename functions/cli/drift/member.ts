import { join, relative } from 'node:path';
import { listed, quoted } from '../../../shared/errors/quoted.ts';
import { planName } from '../commands/run.ts';
import type { Invocation } from '../invocation.ts';
import { plansAtHand } from '../stack/plan-name.ts';
import { pathInRepository } from '../stack/pushed.ts';
import { remoteOf } from '../stack/remote.ts';
import type { Surroundings } from '../surroundings.ts';
import { ReadRefused } from './refused-read.ts';

/**
 * The flags with the plan file of the member in them. Through a stack a member is a plan of lockkeeper.yaml, by its name there; on this machine
 * there is one, whatever file --plan names.
 *
 * @throws ReadRefused for a member that is none, and where several could be meant.
 */
export async function memberOf(invocation: Invocation, { cwd }: Pick<Surroundings, 'cwd'>): Promise<Invocation> {
  const { member, stack, plan } = invocation;
  if (stack === undefined) {
    if (member === undefined || member === planName) return invocation;
    throw new ReadRefused('no-drift-read', `There is no member ${quoted(member)} on this machine: it knows one plan, ${planName}.`);
  }
  const { root } = await remoteOf(cwd);
  const plans = await plansAtHand(root);
  const names = listed(plans.map(({ name }) => name));
  const found = plans.find(({ name, path }) => (member === undefined ? path === pathInRepository(root, cwd, plan) : name === member));
  if (found) return { ...invocation, plan: relative(cwd, join(root, found.path)) };
  if (member !== undefined) throw new ReadRefused('no-drift-read', `lockkeeper.yaml names no plan ${quoted(member)}: it names ${names}.`);
  if (plans.length > 1) throw new ReadRefused('member-required', `lockkeeper.yaml names several plans: name one with --member, of ${names}.`);
  return invocation;
}
