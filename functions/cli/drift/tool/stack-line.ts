import { registry } from '../../../../shared/adapters/registry.ts';
import type { StackLine } from '../../../../shared/engine/op.ts';
import { resolveParams } from '../../../../shared/engine/resolve.ts';
import { quoted } from '../../../../shared/errors/quoted.ts';
import type { ActiveLine } from '../../../../shared/plan/types.ts';
import { parseReference } from '../../../../shared/secrets/reference.ts';
import { planName } from '../../commands/run.ts';
import { contextOf, releaseOf } from '../../context/release.ts';
import type { Invocation } from '../../invocation.ts';
import { linesOf, type PlanFile, readPlanFile } from '../../plan-file.ts';
import type { Surroundings } from '../../surroundings.ts';
import { withEnvironment } from '../read-asked.ts';
import { ReadRefused } from '../refused-read.ts';

/** The stack that a line is, and where it lies on this machine. */
export interface FoundStack {
  readonly line: StackLine;
  readonly environment: string;
  /** The repository's top folder. */
  readonly root: string;
}

/** Whether a member is a line of the plan at hand that is a stack. @throws LockkeeperError for a plan that cannot be read. */
export function isStackLine({ member, stack, plan }: Pick<Invocation, 'member' | 'stack' | 'plan'>, { cwd }: Pick<Surroundings, 'cwd'>): boolean {
  if (member === undefined || member === planName || stack !== undefined) return false;
  return readPlanFile(cwd, plan).plan.lines.some(({ id, adapter, op }) => id === member && registry.find(adapter, op)?.stack !== undefined);
}

/** @throws ReadRefused where the line is not one of the environment; LockkeeperError as {@link releaseOf} and {@link linesOf} do. */
export async function stackAtHand(invocation: Invocation, { cwd, environment, redactor }: Surroundings): Promise<FoundStack> {
  const { member = '' } = invocation;
  const file = readPlanFile(cwd, invocation.plan);
  const placed = withEnvironment(invocation, environment, environmentsOf(file, member));
  const release = await releaseOf(placed, environment, cwd);
  const active = linesOf(file, contextOf(release)).find(({ id }) => id === member);
  const stack = active && registry.find(active.adapter, active.op)?.stack;
  if (!active || !stack) throw new ReadRefused('no-drift-read', `${quoted(member)} is no line of this plan in ${release.environment}.`);
  const secret = (reference: string): string | undefined => secretAtHand(reference, environment);
  for (const reference of active.secrets) redactor.register(secret(reference) ?? '', reference);
  return { line: stack.of(resolved(active, secret)), environment: release.environment, root: release.folder };
}

const environmentsOf = ({ plan }: PlanFile, member: string): readonly string[] => plan.lines.find(({ id }) => id === member)?.environments ?? plan.environments;

/** Outputs of other lines are not known here: their variables have no value of ours, and the folder may have one. */
const resolved = ({ params }: ActiveLine, secret: (reference: string) => string | undefined) =>
  resolveParams(params, { output: () => ({ value: undefined, sensitive: true }), secret });

/** Of secrets those of the person's own environment alone: a look asks no secret manager. */
function secretAtHand(reference: string, environment: Surroundings['environment']): string | undefined {
  const parsed = parseReference(reference);
  return parsed?.scheme === 'env' ? environment[parsed.name] : undefined;
}
