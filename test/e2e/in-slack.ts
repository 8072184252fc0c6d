/** Slack beside the house: a policy that asks there, and what its people press. */
import { type Press, pressed, type SlackRequest, signed } from '../sim/slack/press.ts';
import type { Message } from '../sim/slack/state.ts';
import { canaries } from './house.ts';
import { type Stage, until } from './stage.ts';

/** Has production ask in the workspace's one channel; robin and alex may decide there. */
export function askInSlack(stage: Stage): void {
  const approvers = [
    { github: 'robin', slack: 'U0000ROBIN' },
    { github: 'alex', slack: 'U0000ALEX' },
  ];
  const policy = { version: 1, environments: { production: { approvers, slack: { channel: 'C0RELEASES', mention: 'S0RELEASERS' } } } };
  stage.sim.control.edit('github.push', { branch: 'main', files: { 'lockkeeper.yaml': JSON.stringify(policy) } });
}

/** The channel's own messages, oldest first. */
export const cardsIn = (stage: Stage): Message[] => (stage.sim.state().slack.channels[0]?.messages ?? []).filter(({ thread }) => thread === undefined);

export const newestCard = (stage: Stage, count: number): Promise<Message> =>
  until('the card of the question', () => (cardsIn(stage).length >= count ? cardsIn(stage).at(-1) : undefined));

/** A button pressed, as Slack sends it to the stack. Returns the status of the answer. */
export const press = (stage: Stage, press: Press): Promise<number> =>
  deliverTo(stage, signed(pressed(stage.sim.state().slack, press), canaries.SLACK_SIGNING, Date.now()));

export async function deliverTo(stage: Stage, { headers, body }: SlackRequest): Promise<number> {
  const answer = await fetch(String(stage.stack.outputs['SlackInteractionsUrl']), { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}
