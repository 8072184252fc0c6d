import { expect } from 'vitest';
import { sweepFaults } from '../../test/ports/fault-sweep.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import { bodyNow, edited, issueNow, onBoard, pushed, ticking, ticksNow } from './dashboard-bench.fixture.ts';

let before: string;

async function first(bench: Workbench): Promise<void> {
  onBoard(bench);
  await pushed(bench, 'one', [{ id: 'a', things: { x: '1' } }]);
  before = bodyNow(bench);
}

/** Somebody who may not ticks a box and types into the body: the tick is theirs, answered once, and the body is what the table says. */
async function tickedAndTyped(bench: Workbench): Promise<void> {
  await edited(bench, 'kim', (body) => `${ticking('rescan')(body)}\r\nhello`);
  await bench.quiet();
  for (let times = 0; times < 6 && (issueNow(bench).dirty !== undefined || ticksNow(bench).some(({ state }) => state === 'asked')); times += 1)
    await bench.sweep();
  expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', by: { login: 'kim' }, state: 'refused', told: true }]);
  expect(issueNow(bench).dirty).toBeUndefined();
  expect(bodyNow(bench).replace('no="1"', 'no="0"')).toBe(before);
  expect(bench.code.issues.kept).toHaveLength(1);
  const told = [...bench.code.comments].filter(([, body]) => body.includes('@kim'));
  expect(told).toHaveLength(1);
}

sweepFaults('taken in and the body rebuilt, wherever one fault falls (I10, I11)', { 'an edit of the dashboard': tickedAndTyped }, { first });
