/** Provider writes are what somebody ticked, decided or pushed; rows never go back to an older fact. */
import { createHash } from 'node:crypto';
import type { Effect } from '../../shared/approvals/effect.ts';
import { findEffects } from '../../shared/approvals/effects-document.ts';
import type { PlanDocument } from '../../shared/approvals/plan-document.ts';
import { isOlder, type Row } from '../../shared/dashboard/row.ts';
import type { Run } from '../../shared/run/items.ts';
import { fingerprint } from '../../shared/secrets/fingerprint.ts';
import { stackKeys } from '../ports/stack-keys.ts';
import { runsOf, type Sent } from './house.ts';
import type { Stage } from './stage.ts';

export async function wrongWrites({ house }: Stage): Promise<string[]> {
  const runs = new Map(runsOf(house.bench).map((run) => [run.id, run]));
  const broken: string[] = [];
  for (const one of house.sent.slice(house.sentBefore)) {
    const why = await whyWrong(house.bench, runs.get(one.run), one);
    if (why !== undefined) broken.push(`${why}: run ${one.run.slice(0, 8)} sent ${one.method} ${one.name}: ${one.from} → ${one.value}`);
  }
  return broken;
}

type Bench = Stage['house']['bench'];

async function whyWrong(bench: Bench, run: Run | undefined, one: Sent): Promise<string | undefined> {
  if (!run) return 'a write of no run (I11)';
  if (run.kind === 'drift' || run.kind === 'plan') return 'a run that only looks wrote (I4)';
  if (one.method === 'PATCH' && one.from === one.value) return 'applied twice (I10)';
  if (run.phase === 'rolling-back' || run.outcome === 'failed') return undefined;
  const { ticked } = run.options;
  if (ticked && !isAmong(one, await effectsOf(bench, ticked.digest, one.line))) return 'not among what was ticked (I7)';
  if (!run.gated || !run.honoured?.decisions.length) return run.environment === 'production' ? 'nobody decided (I7)' : undefined;
  const body = bench.bucket.bodies(`plans/${run.honoured.digest}.json`).at(-1);
  const document = body === undefined ? undefined : (JSON.parse(body) as PlanDocument);
  const asked = document?.lines.find(({ id }) => id === one.line)?.effects ?? [];
  return isAmong(one, asked) ? undefined : 'not among what was decided (I7)';
}

const effectsOf = async (bench: Bench, digest: string, line: string): Promise<readonly Effect[]> =>
  (await findEffects(bench.bucket.objects, digest)).find(({ id }) => id === line)?.effects ?? [];

/** The same thing, found as it was shown, and written as it was shown. */
function isAmong({ method, name, from, value }: Sent, effects: readonly Effect[]): boolean {
  const action = method === 'POST' ? 'create' : method === 'PATCH' ? 'update' : 'delete';
  return effects.some(
    (one) =>
      one.action === action &&
      (JSON.parse(one.address) as unknown[])[2] === `thing:${name}` &&
      same(one.before, from) &&
      (action === 'delete' || same(one.after, value)),
  );
}

const same = (shown: Effect['before'], text: string | undefined): boolean =>
  JSON.stringify(shown) === JSON.stringify(text === undefined ? undefined : of(text));
const of = (text: string) => fingerprint(stackKeys.fingerprint, createHash('sha256').update(text).digest('hex'));

/** Of two looks at a row the older one never takes the newer one's place. */
export function olderFacts({ house: { bench } }: Stage): string[] {
  const seen = new Map<string, Row['seen']>();
  return bench.memory.writes.flatMap(({ key, change, applied }) => {
    if (!applied || !key.sk.startsWith('ROW#') || !('put' in change)) return [];
    const now = (change.put as unknown as Row).seen;
    const before = seen.get(key.sk);
    seen.set(key.sk, now);
    return before && (!now || isOlder(now.asOf, before.asOf))
      ? [`an older fact: ${key.sk} went from ${JSON.stringify(before.asOf)} back to ${JSON.stringify(now?.asOf)}`]
      : [];
  });
}
