import { decide } from '../../shared/approvals/decision.ts';
import { sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { cancelRun } from '../../shared/run/cancel.ts';
import type { Run } from '../../shared/run/items.ts';
import { queueStep } from '../../shared/run/phase.ts';
import type { JobWorld } from '../../shared/run/world.ts';
import { type Play, version } from '../tools/terraform/play.ts';
import type { House } from './house.ts';
import { type Pull, planOf } from './stage.ts';

/** A stack that is made for the first time. */
export const created: Play = {
  version: version('1.11.4'),
  plan: { plan: 'the saved plan' },
  'show plan': { recording: 'terraform/plan-create.json' },
  apply: { recording: 'terraform/apply-create.ndjson' },
  'show state': { recording: 'terraform/state.json' },
};

/** Roles of the account that the embedded stack pretends to be in. */
export const roleOf = (purpose: 'plan' | 'apply'): string => `arn:aws:iam::000000000000:role/lockkeeper-stack-${purpose}`;

/** Lets tools run in previews, each kind of job with a role of its own. `more`: what else policy says of the environment. */
export function allowStacks(house: House, more: object = {}): void {
  const preview = { stacks: { plan_role: roleOf('plan'), apply_role: roleOf('apply') }, ...more };
  house.sim.control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': JSON.stringify({ version: 1, environments: { preview } }) } });
}

/** A pull request whose one line is a stack. GitHub tells nobody yet. */
export function openStackPull(house: House, branch: string): Pull {
  const plan = planOf(`  - { id: net, adapter: terraform, op: root, path: infra/${branch} }\n`);
  house.sim.control.edit('github.push', { branch, files: { 'release.plan.yaml': plan, [`infra/${branch}/main.tf`]: '# played' } });
  const { number, sha } = house.sim.control.edit('github.open', { branch });
  return { number, branch, sha };
}

/** A further commit on the pull request. */
export function pushStack(house: House, { branch, number }: Pull): Pull {
  const { sha } = house.sim.control.edit('github.push', { branch, files: { [`infra/${branch}/main.tf`]: '# played again' } });
  return { number, branch, sha };
}

/** The word of whoever sits at the machine, on the question that the run asks. */
export async function approve(house: House, run: Run): Promise<void> {
  if (!run.question) throw new Error(`run ${run.id} asks nothing`);
  const decision = { verdict: 'approve', person: { name: 'kim', through: 'machine' }, at: new Date().toISOString() } as const;
  await decide(watcher(house), { ...run.question, run: run.id }, decision);
  await queueStep(watcher(house), run);
}

export const cancel = (house: House, run: Run) => cancelRun(watcher(house), run, { name: 'kim' });

/** The stores of the stack, for whoever watches it: not as one of its functions. */
function watcher({ stack, table }: House): JobWorld {
  const control = String(stack.outputs['ControlQueueUrl']);
  const queues = sqsQueues({ client: sqs(stack.environment), control, lines: String(stack.outputs['LinesQueueUrl']), clock: systemClock });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const timing = { leaseTtl: 18_000, skew: 0, functionTimeout: 2_000, storeTimeout: 1_000, httpTimeout: 1_000 };
  return { table, queues, clock: systemClock, ids: ulids(), log, timing };
}
