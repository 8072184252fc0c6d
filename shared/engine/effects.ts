import type { Effect } from '../approvals/effect.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting, Judged } from './inspect.ts';
import type { ResourceChange } from './op.ts';

/** What a line's inspection says it would write, as people approve it. */
export function effectsOf(job: Pick<Inspecting, 'world' | 'op' | 'call'>, resources: readonly Judged[]): Effect[] {
  const writes = resources.filter(({ verdict }) => verdict.do === 'create' || verdict.do === 'update');
  return writes.map(({ change, live, verdict }) => {
    const key = job.world.keys.fingerprint;
    return {
      address: JSON.stringify([job.op.adapter, Object.entries(job.call.identity).sort(), change.key]),
      action: verdict.do === 'create' ? ('create' as const) : ('update' as const),
      paths: change.fields.map((field) => field.path).sort(),
      ...(live ? { before: fingerprint(key, live.hash) } : {}),
      ...(change.hash === undefined ? {} : { after: fingerprint(key, change.hash) }),
      waitsFor: waitsFor(change),
    };
  });
}

/** What a line would do whose resources cannot even be named before another line's output is there. */
export const unknownEffect = (reference: string): Effect => ({ address: null, action: 'create', paths: [], waitsFor: [reference] });

const waitsFor = (change: ResourceChange): string[] =>
  [...new Set(change.fields.flatMap(({ after }) => (after.state === 'pending' ? [after.ref] : [])))].sort();
