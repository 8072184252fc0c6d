/** What people do with the dashboard issue. */
import { z } from 'zod';
import { boardOf } from '../board.ts';
import { move } from '../move.ts';
import { tell } from '../stage.ts';

const box = z.enum(['apply', 'repair', 'rescan']);

export const dashboard = {
  /** Somebody ticks the first open box of that kind, or that of one environment, and GitHub tells of the edit. `by`: who did, where GitHub tells of another's. */
  tickBox: move(z.union([box, z.strictObject({ box, environment: z.string().default(''), line: z.string().optional() })]), async (stage, input, step) => {
    const wanted = typeof input === 'string' ? { box: input, environment: '', line: undefined } : input;
    const ofStack = (one: string): boolean => wanted.line === undefined || one.includes(` line="${wanted.line}" -->`);
    const { control } = stage.house.sim;
    const { number, body } = boardOf(stage);
    const line = body
      .split('\n')
      .find((one) => one.startsWith('- [ ]') && one.includes(`lockkeeper:${wanted.box} `) && one.includes(`env="${wanted.environment}`) && ofStack(one));
    const marker = /<!-- lockkeeper:[^>]*-->/.exec(line ?? '')?.[0];
    if (marker === undefined) throw new Error(`the dashboard has no open box ${JSON.stringify(wanted)}:\n${body}`);
    const author = step.as ?? 'kim';
    const { from } = control.edit('github.editIssue', { number, author, tick: marker });
    return tell(stage, step, control.webhook('issues.edited', { number, from, sender: author }));
  }),
  /** Somebody writes another text where one stands in the body. */
  editBoard: move(z.strictObject({ from: z.string(), to: z.string() }), async (stage, change, step) => {
    const { control } = stage.house.sim;
    const { number, body } = boardOf(stage);
    const author = step.as ?? 'kim';
    const { from } = control.edit('github.editIssue', { number, author, body: body.replaceAll(new RegExp(change.from, 'g'), change.to) });
    return tell(stage, step, control.webhook('issues.edited', { number, from, sender: author }));
  }),
} as const;
