/**
 * Writes a fixture with the code of another checkout, so that its bytes are that code's own:
 *
 *     git worktree add <folder> <commit> && ln -s "$PWD/node_modules" <folder>/node_modules
 *     node test/upgrade/record.ts <folder> <state> > test/upgrade/fixtures/<state>.json && npx biome format --write test/upgrade/fixtures
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Queued } from '../ports/memory-queues.ts';
import type { Workbench } from '../ports/workbench.ts';
import { type Fixture, withoutSets } from './fixture.ts';

/** Made, waiting for what made it; a secret; an output that comes with a deployment. */
const changes = [
  { id: 'made', things: { first: '1' } },
  { id: 'queued', things: { second: { from: 'made.id' } } },
  { id: 'secret', things: { third: { secret: 'env://STRIPE_KEY' } } },
];
const awaiting = [...changes, { id: 'deployed', things: { fourth: { from: 'made.url' } } }];
const number = 7;
const commit = 'one';

/** Up to where each state's bytes are kept. */
const states: Readonly<Record<string, { readonly about: string; readonly changes: readonly object[]; play(bench: Workbench, code: Code): Promise<void> }>> = {
  intake: {
    about: 'a webhook is recorded and its message queued; nothing has read it',
    changes,
    play: async (bench) => void (await bench.event('opened', number, commit)),
  },
  line: {
    about: 'a run applies: its first line is done, the two others are queued',
    changes,
    async play(bench) {
      await bench.event('opened', number, commit);
      await deliverUntil(bench, (message) => message.queue === 'lines');
      await deliverUntil(bench, (message) => message.queue === 'lines' && message.message.line !== 'made');
    },
  },
  waiting: {
    about: 'a run is partial: one line waits for a deployment',
    changes: awaiting,
    async play(bench) {
      await bench.event('opened', number, commit);
      await bench.quiet();
    },
  },
  parked: {
    about: 'a run of production is planned and parked at its question',
    changes,
    async play(bench) {
      await bench.command({ commit, environment: 'production', scope: 'main' });
      await bench.quiet();
    },
  },
  approved: {
    about: 'the parked run is approved and guarded: its lines are queued with the effects they were approved for',
    changes,
    async play(bench, { decide }) {
      const id = await bench.command({ commit, environment: 'production', scope: 'main' });
      await bench.quiet();
      const { question, repository } = await bench.run(id);
      if (question === undefined) throw new Error('the run asks nothing');
      const at = new Date(bench.clock.now()).toISOString();
      await decide(bench.world(), { ...question, run: id }, { verdict: 'approve', person: { name: 'kim', through: 'machine' }, at });
      await bench.world().queues.control({ format: 1, run: id, group: repository.id });
      await deliverUntil(bench, (message) => message.queue === 'lines');
    },
  },
};

/** What a person does to a question, in the words of the code that is recorded. */
type Code = Pick<typeof import('../../shared/approvals/decision.ts'), 'decide'>;

/** Delivers in order until every message that lies there is one to be kept. */
async function deliverUntil(bench: Workbench, kept: (message: Queued) => boolean): Promise<void> {
  for (;;) {
    const ready = bench.queues.waiting().findIndex((message) => !kept(message));
    if (ready < 0) return;
    await bench.deliver(bench.queues.takeAt(ready) as Queued);
  }
}

const noDecisions: Code['decide'] = () => {
  throw new Error('this code knows no decisions');
};

async function recorded(checkout: string, state: string): Promise<Fixture> {
  const found = states[state];
  if (found === undefined) throw new Error(`there is no state ${state}: ${Object.keys(states).join(', ')}`);
  const { openWorkbench } = (await import(join(resolve(checkout), 'test/ports/workbench.ts'))) as typeof import('../ports/workbench.ts');
  const bench = openWorkbench();
  bench.secrets.set('STRIPE_KEY', 'a secret value of the fixture');
  bench.pull(number, commit, found.changes);
  const decision = join(resolve(checkout), 'shared/approvals/decision.ts');
  await found.play(bench, existsSync(decision) ? ((await import(decision)) as Code) : { decide: noDecisions });
  const objects = Object.fromEntries(bench.bucket.keys().map((key) => [key, bench.bucket.bodies(key)]));
  const things = bench.provider.names().map((named) => bench.provider.find(named.slice(0, named.indexOf('='))) as Fixture['things'][number]);
  return {
    made: {
      commit: execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
      by: `node test/upgrade/record.ts <checkout> ${state}`,
      about: found.about,
    },
    now: bench.clock.now(),
    items: bench.memory.items().map((item) => withoutSets(item) as Fixture['items'][number]),
    objects,
    messages: bench.queues.waiting().map(({ queue, message, at }) => ({ queue, body: JSON.stringify(message), at })),
    things: things.sort((a, b) => Number(a.id.slice(3)) - Number(b.id.slice(3))),
    executions: [...(bench.states?.open.keys() ?? [])],
    pull: { number, commit, changes: found.changes as Fixture['pull']['changes'] },
  };
}

if (import.meta.main) {
  const [checkout = '.', state = ''] = process.argv.slice(2);
  process.stdout.write(`${JSON.stringify(await recorded(checkout, state), undefined, 1)}\n`);
}
