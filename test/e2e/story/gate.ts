import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { decide } from '../../../shared/approvals/decision.ts';
import { ulids } from '../../../shared/platform/ids.ts';
import type { Run } from '../../../shared/run/items.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import { demo } from '../../sim/seed.ts';
import { check, StoryFailed } from './expect.ts';
import { runOf } from './moves.ts';
import { type Pull, quiet, type StoryWorld } from './world.ts';

/** What people do about production, and what can be seen of it afterwards. */

export const productionScope = scopeKey({ repository: String(demo.repositoryId), plan: 'main', environment: 'production', scope: 'main' });

/** Pushes to the default branch; GitHub tells Lockkeeper. Returns the commit. */
export async function pushToMain(world: StoryWorld, message: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { sha } = world.house.sim.control.edit('github.push', { branch: 'main', files: { ...files }, message });
  await tellPush(world);
  return sha;
}

/** Merges a pull request; GitHub tells of its end, and of the push. Returns the commit on the default branch. */
export async function merge(world: StoryWorld, { number }: Pull): Promise<string> {
  const { control } = world.house.sim;
  const { sha } = control.edit('github.merge', { number });
  await control.deliver(world.house.webhookUrl, control.webhook('pull_request.closed', { number }), world.house.webhookSecret);
  await tellPush(world);
  return sha;
}

async function tellPush({ house }: StoryWorld): Promise<void> {
  const { control } = house.sim;
  const delivery = await control.deliver(house.webhookUrl, control.webhook('push', { branch: 'main' }), house.webhookSecret);
  check(delivery.status === 202, 'the webhook handler accepts a signed push', delivery);
}

/** The run of a commit once it is parked at its `q`th question, and everybody has been told. */
export async function askedAbout(world: StoryWorld, commit: string, q = 1): Promise<Run> {
  const run = await runOf(world, commit, ({ phase, question }) => phase === 'awaiting' && question?.q === q);
  await quiet(world);
  return run;
}

/** Digest of the plan a parked run is asked about. */
export function digestOf(run: Run): string {
  if (!run.question) throw new StoryFailed(`run ${run.id} is asked about nothing`);
  return run.question.digest;
}

/** kim approves that digest: the decision is recorded, and the run told to look. */
export async function approve(world: StoryWorld, run: Run): Promise<void> {
  const { table, stack } = world.house;
  const question = { q: run.question?.q ?? 0, digest: digestOf(run), run: run.id };
  await decide({ table, ids: ulids() }, question, { verdict: 'approve', person: { name: 'kim', through: 'machine' }, at: new Date().toISOString() });
  const MessageBody = JSON.stringify({ format: 1, run: run.id, group: run.repository.id });
  await world.linesQueue.client.send(
    new SendMessageCommand({ QueueUrl: String(stack.functionEnvironment('run-controller')['CONTROL_QUEUE_URL']), MessageBody }),
  );
}

/** Values of Vercel's production, by name, as people set them here. */
export const productionVariables = (world: StoryWorld): Record<string, string> =>
  Object.fromEntries(
    (world.house.sim.state().vercel.projects[0]?.variables ?? []).filter(({ target }) => target.join() === 'production').map(({ key, value }) => [key, value]),
  );
