import { expect, test } from 'vitest';
import { sendAll, sendOne } from './bad.ts';

test('bad input at every door has a clear answer, and leaves nothing half done (all of it: npm run test:load)', async () => {
  const wrong: string[] = [];
  let count = 0;
  await sendAll(0.08, ({ id, wrong: why }) => {
    count += 1;
    if (why) wrong.push(`${id}: ${why}`);
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('one input is the same each time, by its id', async () => {
  expect(await sendOne('plan/7')).toEqual(await sendOne('plan/7'));
  await expect(sendOne('window/7')).rejects.toThrow(/the doors are webhook, slack/);
});
