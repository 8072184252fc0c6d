/** A team in Slack, on the workbench: a policy that puts questions there, and the clicks of its people. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { interaction } from '../../functions/slack-interaction/interaction.ts';
import type { Decision } from '../../shared/approvals/decision.ts';
import { buttonIds } from '../../shared/surfaces/slack/card.ts';
import { type Press, type Pressed, pressed, signed } from '../sim/slack/press.ts';
import { putPolicy } from './people.ts';
import type { Workbench } from './workbench.ts';

export const signingSecret = 'the signing secret of the fake workspace';
export const channel = 'C0RELEASES';

/** Everybody who may decide in production, and how it is asked. */
export function askInSlack(bench: Workbench, production: object = {}): void {
  const approvers = [
    { github: 'robin', slack: 'U0000ROBIN' },
    { github: 'alex', slack: 'U0000ALEX' },
    { github: 'kim', slack: 'U00000KIM' },
  ];
  const slack = { channel, mention: 'S0RELEASERS' };
  putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { approvers, slack, ...production } } }));
  for (const { github } of approvers) bench.code.people.set(github, 'maintain');
}

/** What Slack sends to the function. */
export const eventOf = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }): APIGatewayProxyEventV2 =>
  ({ headers, body, isBase64Encoded: false }) as unknown as APIGatewayProxyEventV2;

/** The function that takes a click, on the bench's table and queue. */
export async function take(bench: Workbench, request: { headers: Readonly<Record<string, string>>; body: string }): Promise<number | undefined> {
  const { table, queues, ids, log } = bench.world();
  return (await interaction({ table, queues, ids, log, clock: bench.clock, signingSecret: async () => signingSecret }, eventOf(request))).statusCode;
}

/** Somebody presses a button of the newest card that has one; what comes of it is not waited for. */
export async function press(bench: Workbench, press: Press): Promise<number | undefined> {
  return take(bench, signed(pressed(bench.slack.state, press), signingSecret, bench.clock.now()));
}

/** Presses, and lets everything come to rest. */
export async function presses(bench: Workbench, user: string, button: Press['button'] = 'Approve'): Promise<void> {
  await press(bench, { user, button });
  await bench.quiet();
}

/** Whose question a pressed button answers, and how: what the button carries, whatever is asked by now. */
export function answerIn({ actions: [action] }: Pressed): { readonly run: string; readonly q: number; readonly digest: string; readonly verdict: Verdict } {
  const { run, q, digest } = JSON.parse(String(action?.['value'])) as { run: string; q: number; digest: string };
  return { run, q, digest, verdict: action?.['action_id'] === buttonIds.approve ? 'approve' : 'reject' };
}

type Verdict = Decision['verdict'];

/** What was last shown to one person alone. */
export const toldTo = (bench: Workbench, user: string): string | undefined => bench.slack.state.whispers.findLast((whisper) => whisper.user === user)?.text;
