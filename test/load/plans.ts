import { linesOf, openDomain } from '../bench/domain/runs.ts';
import { atLeast, atMost, type Row, told } from '../bench/row.ts';
import type { Part } from './part.ts';

const sizes = [1_000, 10_000] as const;

/** What DynamoDB takes as one item, and SQS as one message, bytes. */
const limits = { item: 400 * 1024, message: 256 * 1024 } as const;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value, (_key, field: unknown) => (field instanceof Set ? [...field] : field)) ?? '');
const largest = (all: readonly number[]): number => all.reduce((one, other) => Math.max(one, other), 0);

/** Plans of thousands of lines: prepared in several steps by the cursor, and never an item or a message that is too large. */
export const largePlans: Part = {
  about: 'plans of 1,000 and 10,000 lines, made, applied again and destroyed',
  async measure(tell) {
    const rows: Row[] = [];
    for (const lines of sizes) {
      // A table that takes its time: else a step would never run out of its own.
      const { workbench, run } = openDomain({ storeLatency: 5 });
      const ended: string[] = [];
      const steps: number[] = [];
      for (const intent of ['plan', 'apply', 'apply', 'destroy'] as const) {
        const wrote = workbench.memory.writes.length;
        const { run: now } = await run(linesOf('large', lines), { intent, name: 'large' });
        ended.push(now.outcome ?? now.phase);
        steps.push(workbench.memory.writes.slice(wrote).filter(({ applied, change }) => applied && 'set' in change && 'cursor' in (change.set ?? {})).length);
        tell(`${lines} lines, ${intent}: ${ended.at(-1)}, put off ${steps.at(-1)} times by a step whose time was up`);
      }
      const items = workbench.memory.items();
      const item = largest(items.map(bytes));
      const message = largest(workbench.queues.sent.map(({ message: sent }) => bytes(sent)));
      rows.push(
        atMost(`${lines} lines: runs that did not end complete`, 0, { value: ended.filter((one) => one !== 'complete').length, details: [ended.join(', ')] }),
        atLeast(`${lines} lines: steps whose time was up, and that kept their place`, lines > 1_000 ? 4 : 0, {
          value: steps.reduce((sum, one) => sum + one, 0),
          details: [`plan, create, unchanged, destroy: ${steps.join(', ')}`],
        }),
        atMost(`${lines} lines: largest item`, limits.item, { value: item, unit: ' B' }),
        atMost(`${lines} lines: largest message`, limits.message, { value: message, unit: ' B' }),
        told(`${lines} lines: memory of the process`, { value: process.memoryUsage().rss / 2 ** 20, unit: ' MB' }),
      );
    }
    return rows;
  },
};
