import { linesOf, openDomain } from '../bench/domain/runs.ts';
import { atMost, type Row, told } from '../bench/row.ts';
import type { Part } from './part.ts';

const sizes = [1_000, 10_000] as const;

/** What DynamoDB takes as one item, what SQS takes as one message, what GitHub takes as one comment. */
const limits = { item: 400 * 1024, message: 256 * 1024, comment: 65_536 } as const;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value, (_key, field: unknown) => (field instanceof Set ? [...field] : field)) ?? '');
const largest = (all: readonly number[]): number => all.reduce((one, other) => Math.max(one, other), 0);

/** Plans of thousands of lines: prepared in several steps by the cursor, and never an item, a message or a comment that is too large. */
export const largePlans: Part = {
  about: 'plans of 1,000 and 10,000 lines, made, applied again and destroyed',
  async measure(tell) {
    const rows: Row[] = [];
    for (const lines of sizes) {
      const { workbench, run } = openDomain();
      const ended: string[] = [];
      const steps: number[] = [];
      for (const intent of ['plan', 'apply', 'apply', 'destroy'] as const) {
        const sent = workbench.queues.sent.length;
        const { run: now } = await run(linesOf('large', lines), { intent, name: 'large' });
        ended.push(now.outcome ?? now.phase);
        steps.push(workbench.queues.sent.slice(sent).filter(({ queue }) => queue === 'control').length);
        tell(`${lines} lines, ${intent}: ${ended.at(-1)}, ${steps.at(-1)} control messages`);
      }
      const items = workbench.memory.items();
      const item = largest(items.map(bytes));
      const message = largest(workbench.queues.sent.map(({ message: sent }) => bytes(sent)));
      const comment = largest([...workbench.code.comments.values()].map((body) => body.length));
      rows.push(
        atMost(`${lines} lines: runs that did not end complete`, 0, { value: ended.filter((one) => one !== 'complete').length, details: [ended.join(', ')] }),
        told(`${lines} lines: control messages of a plan, which is prepared in several steps`, {
          value: steps[0] ?? 0,
          details: [`plan, create, unchanged, destroy: ${steps.join(', ')}`],
        }),
        atMost(`${lines} lines: largest item`, limits.item, { value: item, unit: ' B' }),
        atMost(`${lines} lines: largest message`, limits.message, { value: message, unit: ' B' }),
        atMost(`${lines} lines: longest comment`, limits.comment, { value: comment, unit: ' B' }),
        told(`${lines} lines: memory of the process`, { value: process.memoryUsage().rss / 2 ** 20, unit: ' MB' }),
      );
    }
    return rows;
  },
};
