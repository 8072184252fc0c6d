import { expect, test } from 'vitest';
import { sendAll, sendOne } from './bad.ts';
import { canaryIn, stackSecrets } from './canaries.ts';

test('bad input at every door has a clear answer, and leaves nothing half done (all of it: npm run test:load)', async () => {
  const wrong: string[] = [];
  const followed = new Set<string>();
  let count = 0;
  await sendAll(0.08, ({ id, answer, wrong: why }) => {
    count += 1;
    if (why) wrong.push(`${id}: ${why}`);
    if (id.startsWith('accepted ')) followed.add(answer.replace(/^\w+: /, ''));
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(500);
  expect([...followed]).toEqual(expect.arrayContaining(['complete', 'superseded', 'rejected', 'nothing is to be done, says the log']));
});

test('what is looked for in answers and logs is found in every spelling (I1)', () => {
  const secret = Object.values(stackSecrets)[0] as string;
  for (const told of [secret, { said: secret }, new Set([secret]), encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
    expect(canaryIn({ told })).toMatch(/^I1: /);
  }
  expect(canaryIn({ told: 'env://DATABASE_URL' })).toBeUndefined();
});

test('one input is the same each time, by its id', async () => {
  expect(await sendOne('plan/7')).toEqual(await sendOne('plan/7'));
  expect(await sendOne('accepted webhook/3')).toEqual(await sendOne('accepted webhook/3'));
  await expect(sendOne('window/7')).rejects.toThrow(/the doors are webhook, slack/);
});
