import { expect, it } from 'vitest';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

const dealt = ({ logged }: Workbench) =>
  logged.filter(({ message }) => message.startsWith('an intake is dealt with')).map(({ message, fields }) => [message, fields?.['woken']]);

it('the log names the runs that an event started', async () => {
  const bench = openWorkbench();
  const { id } = await bench.release(7, 'one', [{ id: 'a', things: { a: '1' } }]);
  expect(dealt(bench)).toEqual([['an intake is dealt with', [id]]]);
});

it('an event that starts nothing says so: nobody looks for a run that there is not', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { a: '1' } }]);
  // A commit without a plan file, whose scope holds nothing.
  await bench.event('synchronize', 7, 'two');
  await bench.quiet();
  expect(dealt(bench)).toEqual([['an intake is dealt with: it starts nothing', []]]);
});
