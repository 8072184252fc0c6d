import { expect, test } from 'vitest';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { forgetSecrets } from './forget-secrets.ts';

test('a step that parks a run and comes late takes no secret away from what was approved meanwhile (P1, R1.31)', async () => {
  const bench = openWorkbench();
  bench.secrets.set('DATABASE_URL', 'hunter2-and-more');
  bench.pull(7, 'one', [{ id: 'a', things: { a: { secret: 'env://DATABASE_URL' } } }]);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await bench.quiet();
  const parking = await bench.run(id);
  await writeAnswer(bench, parking, 'approve');
  await bench.queues.queues.control({ format: 1, run: id, group: parking.repository.id });
  while ((await bench.run(id)).phase !== 'applying') await bench.deliver(bench.queues.takeAt(0) as Queued);
  await forgetSecrets(bench.world(), parking, 'plan');
  await bench.quiet();
  expect((await bench.run(id)).outcome).toBe('complete');
  expect(bench.provider.find('a')?.value).toBe('hunter2-and-more');
  expect(bench.memory.items().some((item) => item.sk === 'SEALED')).toBe(false);
});
