import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlMessage } from '../../events/control-message.ts';
import { lineMessage } from '../../events/line-message.ts';
import type { Item } from '../../shared/ports/table.ts';
import { openWorkbench, type Workbench } from '../ports/workbench.ts';
import { type Fixture, fixture, withSets } from './fixture.ts';

export const readFixture = (state: string): Fixture => fixture.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', `${state}.json`), 'utf8')));

/** What a world that goes on with a fixture is opened with: ids of its own, and those of things as the provider of the fixture had them. */
export const goesOn = { idPrefix: 'N', thingId: (count: number) => `id-${count}` } as const;

/**
 * A stack of today's code on what another version left.
 *
 * @param options.machine whether the executions of the state machine have lived on, as in AWS, or ended with their process.
 */
export async function restore(from: Fixture, { machine = true }: { readonly machine?: boolean } = {}): Promise<Workbench> {
  const bench = openWorkbench('embedded', goesOn);
  await plant(bench, from);
  if (machine) await liveOn(bench, from);
  queueAgain(bench, from);
  bench.memory.writes.length = 0;
  return bench;
}

/** Table, bucket and provider as they lay there, and the pull request; no message. @param bench opened with {@link goesOn}. */
export async function plant(bench: Workbench, from: Fixture): Promise<void> {
  bench.secrets.set('STRIPE_KEY', 'a secret value of the fixture');
  bench.pull(from.pull.number, from.pull.commit, from.pull.changes);
  for (const thing of from.things) {
    bench.clock.set(thing.createdAt);
    const made = bench.provider.edit(thing.name, thing.value, thing.place);
    if (made.id !== thing.id) throw new Error(`${thing.name} is ${made.id} here and was ${thing.id}`);
  }
  bench.clock.set(from.now);
  for (const [key, bodies] of Object.entries(from.objects)) for (const body of bodies) bench.bucket.plant(key, body);
  for (const item of from.items) {
    const { pk, sk, ...attributes } = withSets(item) as Item;
    await bench.memory.table.write({ pk, sk }, { put: attributes }, { is: 'always' });
  }
}

/** Messages as they lay there: they go through the schemas that the handlers read them with. */
export function queueAgain(bench: Workbench, { messages }: Fixture): void {
  for (const { queue, body, at } of messages) {
    const message: unknown = JSON.parse(body);
    if (queue === 'control') bench.queues.deliver({ queue, message: controlMessage.parse(message), at });
    else bench.queues.deliver({ queue, message: lineMessage.parse(message), at });
  }
}

/** The machine in memory counts its tokens: executions started again in their order wait with the tokens that the questions hold. */
async function liveOn(bench: Workbench, { executions, items }: Fixture): Promise<void> {
  for (const name of executions) {
    const run = items.find((item) => item['execution'] === name);
    const repository = run?.['repository'] as { id: string };
    await bench.states.machine.start(name, { enter: 'ask', run: run?.['id'], group: repository.id, expiresSeconds: 86_400 });
    bench.queues.take('control');
  }
}
