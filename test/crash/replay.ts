/** Tells ids and seeds in a thread of its own: one a processor. What it is given are ids, `seed/17` among them; what it answers is what each came to. */
import { parentPort, workerData } from 'node:worker_threads';
import { tellId } from './enumerate.ts';
import { playSeed, seedOf } from './seeds.ts';

export interface Verdict {
  readonly id: string;
  readonly broken: readonly string[];
  readonly deliveries: number;
}

for (const id of workerData as readonly string[]) {
  const seed = seedOf(id);
  const { broken, deliveries } = seed === undefined ? await tellId(id) : await playSeed(seed);
  parentPort?.postMessage({ id, broken, deliveries } satisfies Verdict);
}
