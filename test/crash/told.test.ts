import { expect, test } from 'vitest';
import { exampleRegistry } from '../ports/example-op.ts';
import { playCase } from './cases/case.ts';
import { open } from './cases/deliveries.ts';
import { tell } from './enumerate.ts';
import { pullHook } from './hooks.ts';
import { stories } from './stories/stories.ts';
import { judgedText, tableOf } from './table.ts';

const changes = [{ id: 'a', things: { a: '1' } }];

test('what is thrown is no finding of an invariant, and is broken all the same', async () => {
  const fails = async (): Promise<never> => Promise.reject(new TypeError('nothing here'));
  expect((await playCase({ play: fails }))[0]).toMatch(/^thrown: TypeError: nothing here/);
  const finds = async (): Promise<never> => Promise.reject(new Error('I2: something is left'));
  expect((await playCase({ play: finds }))[0]).toBe('I2: something is left');
});

test('a job that falls over the code itself is told of, whatever it comes to', async () => {
  const find: typeof exampleRegistry.find = () => {
    throw new TypeError('find is no function');
  };
  const broken = await playCase({ options: { registry: { ...exampleRegistry, find } }, play: (simulator) => open(simulator, changes) });
  expect(broken).toContain('thrown: a job failed of: find is no function');
});

test('a case ends as a story does: applied again, told of again, and taken down', async () => {
  const asIs = async (simulator: Parameters<typeof open>[0]): Promise<void> => open(simulator, changes);
  expect(await playCase({ play: asIs })).toEqual([]);
  // Somebody takes away what was made when everything is at rest: the next apply has something to do, and nobody may say that it has not.
  const broken = await playCase({
    async play(simulator) {
      await open(simulator, changes);
      await simulator.rest();
      const { send } = simulator.bench.provider.http;
      simulator.bench.provider.http.send = async (request) => {
        const answer = await send(request);
        if (request.method === 'GET') simulator.bench.provider.remove('a');
        return answer;
      };
      await simulator.hook(pullHook('synchronize', 7, 'one'));
    },
  });
  expect(broken).toEqual(expect.arrayContaining([expect.stringMatching(/^I3: a second apply sent POST a/)]));
});

test('the table counts what held of what befell, and says how often each invariant had something to judge', async () => {
  const { judged } = await tell(stories[0] as (typeof stories)[number]);
  const verdict = { broken: [], deliveries: 1, befell: true, judged };
  const verdicts = [
    { ...verdict, id: 'update/000-table.write/paused' },
    { ...verdict, id: 'update/001-table.write/paused', befell: false },
    { ...verdict, id: 'update/002-table.write/paused', broken: ['I9: two of them'], befell: false },
  ];
  expect(tableOf(verdicts)).toMatch(/^update .* 1\/2 /m);
  expect(judgedText(verdicts)).toMatch(/^I3 +3 +3 second applies$/m);
  expect(judgedText(verdicts)).toMatch(/^I7 +0 +0 writes in a protected environment$/m);
});
