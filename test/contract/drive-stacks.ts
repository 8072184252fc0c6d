import { allowStacks, approve, cancel, created, openStackPull } from '../e2e/stack-lines.ts';
import { deliverPull, type Stage, until } from '../e2e/stage.ts';
import type { Play, recordedTool } from '../tools/terraform/play.ts';

/** The first apply does what it is asked for; the second hangs, and does not hear that it is to end. */
export const stackPlay: Play = { ...created, apply: [{ recording: 'terraform/apply-create.ndjson' }, { hangs: true, deaf: true }] };

/** Everything that is done to AWS for stacks: one is planned, asked about and applied; another is cancelled while its tool is at work, and ended. */
export async function driveStacks(stage: Stage, tool: ReturnType<typeof recordedTool>): Promise<void> {
  allowStacks(stage, { protected: true });
  const first = openStackPull(stage, 'stack-one');
  await deliverPull(stage, first, 'opened');
  await approve(stage, await stage.runOf(first.sha, ({ phase }) => phase === 'awaiting', 60_000));
  await stage.runOf(first.sha, undefined, 60_000);
  allowStacks(stage);
  const second = openStackPull(stage, 'stack-two');
  await deliverPull(stage, second, 'opened');
  await until('the tool is at work', async () => (tool.calls().filter(({ call }) => call === 'apply').length > 1 ? true : undefined), 60_000);
  await cancel(stage, await stage.runOf(second.sha, () => true));
  await stage.runOf(second.sha, undefined, 90_000);
}
