import type { Run } from '../../shared/run/items.ts';
import { openPull, planOf, type Stage, scheduleOf, until } from '../e2e/stage.ts';
import type { WebhookInput, WebhookKind } from '../sim/github/webhook.ts';

type Decide = (stage: Stage, run: Run, verdict: 'approve' | 'reject') => Promise<void>;

const asks = (run: Run): boolean => run.phase === 'awaiting';
const live = (mode: string) => planOf(`  - { id: live, adapter: vercel, op: env, target: production, values: { RELEASE_MODE: ${mode} } }\n`);
const redirect = (name: string) => planOf(`  - { id: callback, adapter: clerk, op: redirect_allow, url: 'https://${name}.acme.example/cb' }\n`);

const tell = <Kind extends WebhookKind>(stage: Stage, kind: Kind, input: WebhookInput[Kind]) =>
  stage.sim.control.deliver(stage.webhookUrl, stage.sim.control.webhook(kind, input), stage.webhookSecret);

const newest = async (stage: Stage, sha: string, other: Run): Promise<Run> => stage.runOf(sha, (run) => run.id !== other.id, 60_000);

/** A pull request that is merged, asked about and approved; run again by its check, by all checks and by a comment. */
export async function pushes(stage: Stage, decideOn: Decide): Promise<void> {
  const pull = openPull(stage, 'merged', live('merged'));
  const { sha, before = '' } = stage.sim.control.edit('github.merge', { number: pull.number });
  await tell(stage, 'push', { before });
  const run = await stage.runOf(sha, asks, 60_000);
  await decideOn(stage, run, 'approve');
  await stage.runOf(sha, undefined, 60_000);
  const check = stage.sim.state().github.repositories[0]?.checks.find((one) => one.sha === sha && !one.name.endsWith(' after merge'));
  await tell(stage, 'check_run.rerequested', { id: check?.id ?? 0 });
  const second = await newest(stage, sha, run);
  await stage.runOf(sha, (one) => one.id === second.id && one.phase === 'done', 60_000);
  await again(stage);
}

/** A failed run of a pull request, and who may run it again. */
async function again(stage: Stage): Promise<void> {
  stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 422 }, times: 1 });
  const pull = openPull(stage, 'again', redirect('again'));
  await tell(stage, 'pull_request.opened', { number: pull.number });
  const first = await stage.runOf(pull.sha);
  stage.sim.control.edit('github.role', { login: 'lou', role: 'write' });
  await tell(stage, 'check_suite.rerequested', { sha: pull.sha });
  const second = await newest(stage, pull.sha, first);
  await stage.runOf(pull.sha, (run) => run.id === second.id && run.phase === 'done');
  await tell(stage, 'issue_comment.created', { number: pull.number, body: '/lockkeeper retry', sender: 'lou' });
  await until('the third run', async () => (await stage.runs({ commit: pull.sha })).filter((run) => run.phase === 'done').length === 3 || undefined);
}

/** A delivery that failed; a pull request that nobody told of; and the schedule, which finds both. */
export async function unheard(stage: Stage): Promise<void> {
  const { control } = stage.sim;
  const failed = openPull(stage, 'undelivered', redirect('undelivered'));
  const guid = control.lose(stage.webhookUrl, control.webhook('pull_request.opened', { number: failed.number }), stage.webhookSecret);
  const untold = openPull(stage, 'untold', redirect('untold'));
  control.edit('github.age', { delivery: guid, pull: untold.number, minutes: 30 });
  stage.stack.fire(scheduleOf(stage));
  await stage.runOf(untold.sha);
  await until('GitHub is asked for the delivery', () => stage.sim.state().github.askedAgain?.at(0));
  await control.tellAgain();
  await stage.runOf(failed.sha);
}
