import { LockkeeperError, type Problem } from '../errors/error.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import type { ToolPurpose } from '../ports/tool-runner.ts';
import { isCancelled } from '../run/cancel.ts';
import type { LineSpec, StackSpec } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { openerOf } from '../stacks/kept-object.ts';
import type { ToolJobWorld, ToolRequest } from '../stacks/tool-job.ts';
import type { ToolWork } from '../stacks/tool-work.ts';
import type { Inspecting } from './inspecting.ts';
import type { StackLine } from './op.ts';
import { type Owner, ownedByOther } from './owned-by-other.ts';
import type { RunSecrets } from './run-secrets.ts';
import { stackFingerprintKey, stackKey } from './stack-effects.ts';

/** A stack that a line, or an entry of the ledger, stands for, and what its tool is given. */
export interface StackInHand {
  readonly stack: StackLine;
  readonly identity: Identity;
  readonly given: StackSpec;
  /** The commit whose files it is made of. */
  readonly commit: string;
  /** Texts that may not come out in anything, beside those of its secret variables. */
  readonly masks: readonly string[];
}

/** What a job of a stack is made in. */
export type StackWork = Pick<Inspecting, 'world' | 'run'> & { readonly secrets: RunSecrets };

/** What a tool is asked to do, beside what is the same of every job of the stack. */
export type Asked = Pick<ToolWork, 'do' | 'destroys' | 'lock' | 'drift' | 'refresh' | 'approved' | 'only'>;

/**
 * Whether a job looks at what is live: then a plan of it puts back what was found, be it by a tool that does so anyway or by one that is told to
 * (Pulumi: only where it finds something, R2.24). A scan and the run of a tick ask alike, so that the row is of what the tick will do.
 */
export const lookOf = (looks: boolean): Pick<Asked, 'drift' | 'refresh'> => (looks ? { drift: true, refresh: true } : { drift: false });

/** One job of a stack. `approved`: it does what people have seen, and nothing else. */
export interface StackRequest extends ToolRequest {
  /** The hash of its identity. */
  readonly stack: string;
  readonly approved: boolean;
}

/** What a stack is called, for people. */
export const stackLabel = ({ tool, root }: StackLine): string => `${tool} ${stackKey(root)}`;

export const stackIdentity = (adapter: string, account: Readonly<Record<string, string>>, { root }: StackLine): Identity => ({
  adapter,
  account,
  key: stackKey(root),
});

/** The refusal of a stack that another scope has. */
export function stackOfOther(op: Parameters<typeof ownedByOther>[0], stack: StackLine, { key }: Identity, owner: Owner, own: Owner): Problem {
  const problem = ownedByOther(op, { key, kind: 'update', label: stackLabel(stack), fields: [] }, owner, own);
  return problem.hint === undefined ? { ...problem, hint: 'Give this line a `workspace` of its own, as `shop-${ctx.scope}`; or release it there.' } : problem;
}

/** Where jobs are run. @throws LockkeeperError where no tool can be run. */
export function whereToolsRun({ tools, objects, ...world }: World): ToolJobWorld & Pick<World, 'roles'> {
  if (tools && objects) return { ...world, tools, objects };
  throw new LockkeeperError({ code: 'INTERNAL', message: 'This program has nothing that runs infrastructure tools.' });
}

/** @throws LockkeeperError for a line that was prepared by a version that knows no stacks. */
export function givenTo({ id, stack }: LineSpec): StackSpec {
  if (stack) return stack;
  throw new LockkeeperError({ code: 'INTERNAL', message: `Nobody prepared what the tool of line ${id} is given.` });
}

/** Why the files are not there that the tool would work on: nothing is run without them. */
export function sourceProblem({ sources }: StackWork['run'], commit: string): Problem | undefined {
  const source = sources?.[commit];
  if (source && !('problem' in source)) return undefined;
  const why = source === undefined ? 'they were not stored' : source.problem.message.replace(/\.$/, '');
  return { code: 'SOURCE_UNUSABLE', message: `The files of commit ${commit.slice(0, 7)} cannot be had: ${why}.` };
}

/** Whatever keeps a stack's tool from being run at all. */
export const unready = (job: StackWork, { given, commit }: Pick<StackInHand, 'given' | 'commit'>): Problem | undefined =>
  (job.world.simulated ? notSimulated : undefined) ?? missingSecret(job, given) ?? sourceProblem(job.run, commit);

const notSimulated = {
  code: 'STACK_NOT_SIMULATED',
  message: 'Nothing of a stack is simulated: its tool would work on the real state, with invented secrets.',
} as const;

/** A variable of the tool's environment whose secret has no value: nothing is run without it. */
function missingSecret({ secrets: { references, failures } }: StackWork, { secrets }: StackSpec): Problem | undefined {
  const missing = Object.entries(secrets).find(([, address]) => references[address] === undefined);
  if (!missing) return undefined;
  const [name, address] = missing;
  return { code: 'SECRET_UNRESOLVED', message: `stacks.secrets.${name}: ${failures[address] ?? `${address} has no value`}.` };
}

/** One job of a stack's tool: what it may do, for how long, and what it is told once it asks. */
export function stackRequest(job: StackWork, inHand: StackInHand, asked: Asked): StackRequest {
  const purpose = asked.do === 'plan' ? 'plan' : 'apply';
  return {
    purpose,
    stack: identityHash(inHand.identity),
    timeLimitMs: inHand.given.timeLimitMs,
    work: () => workOf(job, inHand, asked, purpose),
    // A plan of a run that stops is wanted by nobody; an apply that has begun ends early only where a person stops it.
    ends: purpose === 'plan' ? job.run.stopping !== undefined : isCancelled(job.run),
    approved: asked.approved !== undefined,
  };
}

async function workOf(job: StackWork, { stack, identity, given, commit, masks }: StackInHand, asked: Asked, purpose: ToolPurpose): Promise<ToolWork> {
  const { world, run } = job;
  const source = run.sources?.[commit];
  if (!source || 'problem' in source) throw new LockkeeperError(sourceProblem(run, commit) ?? { code: 'INTERNAL', message: 'There is no source.' });
  const secret = { ...secretVariables(job, given), ...(await roleVariables(job, given, purpose)) };
  const texts = stack.secretVariables.map((name) => String(stack.variables[name]));
  return {
    format: 1,
    ...asked,
    tool: stack.tool,
    ...(stack.version === undefined ? {} : { version: stack.version }),
    root: stack.root,
    source: openerOf(world.keys, source),
    variables: stack.variables,
    secretVariables: stack.secretVariables,
    environment: { ...given.env, ...secret },
    mask: [...new Set([...Object.values(secret), ...texts, ...masks])],
    show: given.show,
    fingerprintKey: stackFingerprintKey(world.keys.fingerprint, identityHash(identity)),
    timeoutMs: given.timeLimitMs,
  };
}

function secretVariables({ secrets }: StackWork, given: StackSpec): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given.secrets).flatMap(([name, address]) => {
      const value = secrets.references[address];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Credentials of the role that policy names, made right before they are handed over, and known to the redactor. */
async function roleVariables({ world, run }: StackWork, { planRole, applyRole }: StackSpec, purpose: ToolPurpose): Promise<Record<string, string>> {
  const role = purpose === 'plan' ? planRole : applyRole;
  if (role === undefined) return {};
  if (!world.roles) throw new LockkeeperError({ code: 'PROVIDER_AUTH', message: `Nobody here can assume the role ${role}.` });
  const credentials = await world.roles.assume(role, `lockkeeper-${run.id.slice(0, 12)}`);
  for (const [name, value] of Object.entries(credentials)) if (name !== 'AWS_ACCESS_KEY_ID') world.redactor.register(value, name);
  return { ...credentials };
}
