/** What people press in Slack, and what Slack tells of it. */
import { z } from 'zod';
import { signingSecret } from '../../house/house.ts';
import { pressed, type SlackRequest, signed } from '../../sim/slack/press.ts';
import { move } from '../move.ts';
import type { Step } from '../scenario.ts';
import { type Outcome, type Stage, settle } from '../stage.ts';

const yes = z.literal(true);
const button = z.enum(['Approve', 'Reject']);

/** The Slack accounts of the people whom policies of the scenarios map; anybody else is a stranger. */
const accounts: Readonly<Record<string, string>> = { kim: 'U00000KIM', robin: 'U0000ROBIN', alex: 'U0000ALEX' };

export const slack = {
  /** A button of the newest card that has buttons, or, on a page that nobody has loaded anew since, of the first. */
  click: move(z.union([button, z.strictObject({ button, first: yes })]), async (stage, input, step) => {
    const wanted = typeof input === 'string' ? { button: input } : input;
    const press = { user: accounts[step.as ?? ''] ?? 'U0STRANGER', button: wanted.button };
    const state = 'first' in wanted ? (stage.cardAtFirst ?? stage.house.sim.state().slack) : stage.house.sim.state().slack;
    return take(stage, step, signed(pressed(state, press), signingSecret, stage.house.clock.now()));
  }),
  /** Slack tells the last click once more. */
  clickAgain: move(yes, async (stage, _input, step) => {
    if (!stage.lastClick) throw new Error('nothing was clicked yet');
    return take(stage, step, stage.lastClick);
  }),
} as const;

async function take(stage: Stage, step: Step, request: SlackRequest): Promise<Outcome> {
  const http = await stage.house.click(request);
  stage.lastClick = request;
  await settle(stage, step);
  return { http };
}
