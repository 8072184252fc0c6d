/** Tells ids, pairs, cases and seeds in a thread of its own: one a processor. What it is given are ids, `seed/17` among them; what it answers is what each came to. */
import { parentPort, workerData } from 'node:worker_threads';
import { tellAny } from './tell-any.ts';
import type { Told } from './told.ts';

export interface Verdict extends Pick<Told, 'broken' | 'deliveries' | 'befell' | 'judged'> {
  readonly id: string;
}

for (const id of workerData as readonly string[]) {
  const { broken, deliveries, befell, judged } = await tellAny(id);
  parentPort?.postMessage({ id, broken, deliveries, befell, judged } satisfies Verdict);
}
