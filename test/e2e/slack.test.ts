import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../shared/run/items.ts';
import { textOf } from '../sim/slack/block-kit.ts';
import { buttonsOf } from '../sim/slack/press.ts';
import { canaries } from './house.ts';
import { askInSlack, cardsIn, deliverTo, newestCard, press } from './in-slack.ts';
import { everyItem, everyVersion } from './sinks.ts';
import { openStage, planOf, type Stage, until } from './stage.ts';

/** Slack over the wire, and the function that takes its clicks, on the whole stack. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  for (const login of ['robin', 'alex']) stage.sim.control.edit('github.role', { login, role: 'maintain' });
  askInSlack(stage);
});
afterAll(() => stage?.stop());

const asks = (run: Run): boolean => run.phase === 'awaiting';
const secret = (name: string) =>
  planOf(`  - { id: live, adapter: vercel, op: env, target: production, values: { ${name}: { secret: 'env://STRIPE_KEY' }, ${name}_MODE: live } }\n`);

/** A merge that asks before production. */
async function asked(branch: string): Promise<Run> {
  const { control } = stage.sim;
  control.edit('github.push', { branch, files: { 'release.plan.yaml': secret(branch.toUpperCase()) } });
  const { number } = control.edit('github.open', { branch });
  const { sha, before = '' } = control.edit('github.merge', { number });
  await control.deliver(stage.webhookUrl, control.webhook('push', { before }), stage.webhookSecret);
  return stage.runOf(sha, asks, 60_000);
}

describe('a question in Slack', () => {
  it('is a card that whoever may decides by one click, and its end is shown there (I7)', async () => {
    const run = await asked('first');
    const card = await newestCard(stage, 1);
    expect(textOf(card.blocks)).toContain(`FIRST_MODE`);
    expect(await press(stage, { user: 'U0000ROBIN', button: 'Approve' })).toBe(200);
    expect((await stage.runOf(run.commit, (one) => one.phase === 'done', 60_000)).outcome).toBe('complete');
    const shown = await until('the end on the card', () =>
      buttonsOf(cardsIn(stage)[0]?.blocks ?? []).length === 0 && textOf(cardsIn(stage)[0]?.blocks).includes('applied') ? cardsIn(stage)[0] : undefined,
    );
    expect(textOf(shown.blocks)).toContain('robin approved plan');
    expect(cardsIn(stage)).toHaveLength(1);
  });

  it('is decided by nobody whom policy does not map, and by no forged request', async () => {
    const run = await asked('second');
    await newestCard(stage, 2);
    expect(await press(stage, { user: 'U0STRANGER', button: 'Approve' })).toBe(200);
    const told = await until('the stranger is told', () => stage.sim.state().slack.whispers.find(({ user }) => user === 'U0STRANGER'));
    expect(told.text).toContain('slack: U0STRANGER');
    expect(
      await deliverTo(stage, {
        headers: { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)), 'x-slack-signature': `v0=${'0'.repeat(64)}` },
        body: 'payload={}',
      }),
    ).toBe(401);
    expect(await press(stage, { user: 'U0000ALEX', button: 'Reject' })).toBe(200);
    expect((await stage.runOf(run.commit, (one) => one.phase === 'done', 60_000)).outcome).toBe('rejected');
  });

  it('shows no secret, and leaves none of Slack’s own anywhere (I1)', async () => {
    await stage.stack.idle({ withinMs: 30_000, ignoreDelayed: true });
    const seen = JSON.stringify([stage.sim.state().slack, await everyItem(stage), await everyVersion(stage), stage.logs.lines], (_key, value: unknown) =>
      value instanceof Set ? [...value] : value,
    );
    expect(seen).toContain('FIRST_MODE');
    for (const canary of [canaries.STRIPE_KEY, canaries.SLACK_TOKEN, canaries.SLACK_SIGNING, 'responseurlsecret', 'legacy-verification-token'])
      expect(seen).not.toContain(canary);
  });
});
