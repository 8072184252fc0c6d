import type { Run } from '../../shared/run/items.ts';
import { askInSlack, newestCard, press } from '../e2e/in-slack.ts';
import { deliverPull, openPull, planOf, type Stage } from '../e2e/stage.ts';

/** A question in Slack, which is rejected there. The policy goes as it came: the rest of the drive asks nobody there. */
export async function inSlack(stage: Stage): Promise<void> {
  const policy = stage.sim.state().github.repositories[0];
  const before = policy?.commits[String(policy.branches['main'])]?.files['lockkeeper.yaml'] ?? null;
  askInSlack(stage);
  const pull = openPull(stage, 'in-slack', planOf('  - { id: live, adapter: vercel, op: env, target: production, values: { CARD_MODE: asked } }\n'));
  await deliverPull(stage, pull, 'opened');
  await stage.runOf(pull.sha, (run: Run) => run.phase === 'awaiting', 60_000);
  await newestCard(stage, 1);
  await press(stage, { user: 'U0000ROBIN', button: 'Reject' });
  await stage.runOf(pull.sha, (run: Run) => run.outcome === 'rejected', 60_000);
  stage.sim.control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': before } });
}
