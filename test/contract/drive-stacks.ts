import { equal } from '../../shared/table/condition.ts';
import { leaseKey, scopeKey } from '../../shared/table/keys.ts';
import { allowStacks, approve, cancel, created, openStackPull, pushStack } from '../e2e/stack-lines.ts';
import { deliverPull, deliverPush, type Pull, type Stage, until } from '../e2e/stage.ts';
import { demo } from '../sim/seed.ts';
import type { Play, recordedTool } from '../tools/terraform/play.ts';

const hangs = { hangs: true, deaf: true } as const;
const applies = { recording: 'terraform/apply-create.ndjson' } as const;

/** What the tool does in the course of the drive: the first plan hangs, and the second and third apply; none of them hears that it is to end. */
export const stackPlay: Play = { ...created, plan: [hangs, { plan: 'the saved plan' }], apply: [applies, hangs, hangs, applies] };

type Tool = ReturnType<typeof recordedTool>;

/** Everything that is done to AWS for stacks. */
export async function driveStacks(stage: Stage, tool: Tool): Promise<void> {
  allowStacks(stage, { protected: true });
  await cancelled(stage, await begun(stage, tool, 'plan-hangs', 'plan'));
  const pull = openStackPull(stage, 'is-asked');
  await deliverPull(stage, pull, 'opened');
  await approve(stage, await stage.runOf(pull.sha, ({ phase }) => phase === 'awaiting', 60_000));
  await stage.runOf(pull.sha, undefined, 60_000);
  allowStacks(stage);
  await cancelled(stage, await begun(stage, tool, 'apply-hangs', 'apply'));
  await takenOver(stage, await begun(stage, tool, 'loses-its-lease', 'apply'));
}

/** A pull request whose tool is at work, and hangs. */
async function begun(stage: Stage, tool: Tool, branch: string, call: 'plan' | 'apply'): Promise<Pull> {
  const count = () => tool.calls().filter((one) => one.call === call).length;
  const before = count();
  const pull = openStackPull(stage, branch);
  await deliverPull(stage, pull, 'opened');
  await until(`the tool of ${branch} is at work`, () => (count() > before ? true : undefined), 60_000);
  return pull;
}

async function cancelled(stage: Stage, pull: Pull): Promise<void> {
  await cancel(stage, await stage.runOf(pull.sha, () => true));
  await stage.runOf(pull.sha, undefined, 90_000);
}

/** Its lease runs out while its apply is at work, and the run of the next commit has it: that one ends the job before it begins. */
async function takenOver(stage: Stage, pull: Pull): Promise<void> {
  const first = await stage.runOf(pull.sha, () => true);
  const next = pushStack(stage, pull);
  await deliverPush(stage, next, pull.sha);
  const scope = scopeKey({ repository: String(demo.repositoryId), plan: 'main', environment: 'preview', scope: `pr-${pull.number}` });
  const ranOut = async () => {
    await stage.table.write(leaseKey(scope), { set: { expiresAt: 1 } }, equal('holder', first.id));
    const lease = await stage.table.get(leaseKey(scope));
    return lease?.['holder'] === first.id ? undefined : true;
  };
  await until('the lease is the next run’s', ranOut, 90_000);
  await stage.runOf(next.sha, undefined, 90_000);
}
