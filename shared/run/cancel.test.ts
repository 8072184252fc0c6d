import { expect, test } from 'vitest';
import { askedRun } from '../../test/ports/people.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { runKey } from '../table/keys.ts';
import { cancelRun } from './cancel.ts';

test.each(['rolling-back', 'settling'] as const)('a run that is %s already is not stopped, and whoever wanted that is told so (P1)', async (phase) => {
  const bench = openWorkbench('deployed');
  const run = await askedRun(bench, [{ id: 'a', things: { x: '1' } }]);
  await bench.memory.table.write(runKey(run.id), { set: { phase } }, { is: 'always' });
  expect(await cancelRun(bench.world(), run, { name: 'kim' })).toBe('ending');
  expect((await bench.run(run.id)).stopping).toBeUndefined();
});
