/**
 * Plays interleavings and prints how they ended: `node test/weave/weave.ts`, from a seed on (`--from`), so many of them (`--count`). One alone is
 * told step by step (`--seed`). Exits with 1 at the first that breaks something, and says what tells it again.
 */
import { parseArgs } from 'node:util';
import { play } from './interleave.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, from: { type: 'string' }, count: { type: 'string' }, all: { type: 'boolean' } } });
const from = Number(values.seed ?? values.from ?? 0);
const count = values.seed === undefined ? Number(values.count ?? 2_000) : 1;
const tally: Record<string, number> = {};
let broken = 0;
for (let seed = from; seed < from + count; seed += 1) {
  const played = await play(seed);
  for (const [name, times] of Object.entries(played.tally)) tally[name] = (tally[name] ?? 0) + times;
  if (values.seed !== undefined) console.log(played.trace.join('\n'));
  if (played.broken.length === 0) continue;
  broken += 1;
  console.log(`interleaving ${seed} broke:\n  ${played.broken.join('\n  ')}\ntell it again: node test/weave/weave.ts --seed ${seed}`);
  if (!values.all) break;
}
const cpu = process.cpuUsage();
console.log(`${count} interleavings, ${broken} broken, ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of CPU; ticks: ${JSON.stringify(tally)}`);
process.exitCode = broken > 0 ? 1 : 0;
