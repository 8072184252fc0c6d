/** Tells ids, pairs, cases and seeds in a thread of its own: one a processor. What it is given are ids, `seed/17` among them; what it answers is what each came to. */
import { parentPort, workerData } from 'node:worker_threads';
import { tellAny } from './tell-any.ts';

export interface Verdict {
  readonly id: string;
  readonly broken: readonly string[];
  readonly deliveries: number;
}

for (const id of workerData as readonly string[]) {
  const { broken, deliveries } = await tellAny(id);
  parentPort?.postMessage({ id, broken, deliveries } satisfies Verdict);
}
