/** What happens behind Lockkeeper's back: at the providers, in the secret store, in the bucket and the table. */
import { z } from 'zod';
import { latestKey } from '../../../shared/receipts/chain.ts';
import { type ScopeAddress, scopeKey, scopePath } from '../../../shared/table/keys.ts';
import { toolFailed } from '../../ports/fake-stacks.ts';
import { demo } from '../../sim/seed.ts';
import { editNames } from '../edit-names.ts';
import { move } from '../move.ts';
import { makeEdits, pullOf, type Stage, setSecret } from '../stage.ts';

/** Where the scope of the pull request at hand keeps its things. */
export function scopeAtHand(stage: Stage, environment?: string): ScopeAddress {
  const { number, branch } = pullOf(stage);
  const scope = branch === 'main' ? 'main' : `pr-${number}`;
  return { repository: String(demo.repositoryId), plan: 'main', environment: environment ?? (scope === 'main' ? 'production' : 'preview'), scope };
}

interface Instead {
  readonly fails?: string | null | undefined;
  readonly failsPlan?: string | null | undefined;
  readonly dies?: boolean | undefined;
}

/** Every job fails with this, or every plan, or each ends without a word. */
function insteadOf({ words }: Stage['house']['stacks'], { fails, failsPlan, dies }: Instead): Stage['house']['stacks']['instead'] {
  return (work) => {
    const cause = fails ?? (work.do === 'plan' ? failsPlan : undefined);
    if (dies) return 'dies';
    return cause ? { format: 1, words, ...toolFailed(cause as Parameters<typeof toolFailed>[0]) } : undefined;
  };
}

export const world = {
  /** What somebody does at a provider or on GitHub; nobody is told. */
  edit: move(z.array(z.partialRecord(z.enum(editNames), z.record(z.string(), z.unknown()))), async (stage, wanted) => {
    makeEdits(stage, wanted);
    return {};
  }),
  /** Values in the secret store from now on; null takes one away. */
  secrets: move(z.record(z.string(), z.string().nullable()), async (stage, values) => {
    for (const [name, value] of Object.entries(values)) setSecret(stage, name, value);
    return {};
  }),
  /**
   * What there is in a stack, and how its tool behaves from now on. `live`: somebody edits it; null takes a thing away. `serial`: somebody else has
   * applied. `lock`: who has the tool's lock, null: nobody. `breaks`: after so many things an apply breaks off. `fails`: with what each job does,
   * `failsPlan`: each that only plans. `dies`: each job ends without a word. `differs`: what an apply reports to have done otherwise. `words`:
   * what the tool says.
   */
  stack: move(
    z.strictObject({
      key: z.string().default('infra/net'),
      live: z.record(z.string(), z.string().nullable()).optional(),
      serial: z.int().optional(),
      lock: z.record(z.string(), z.string()).nullable().optional(),
      breaks: z.int().nullable().optional(),
      fails: z.string().nullable().optional(),
      failsPlan: z.string().nullable().optional(),
      dies: z.boolean().optional(),
      differs: z.array(z.string()).optional(),
      words: z.string().optional(),
    }),
    async ({ house: { stacks } }, { key, live = {}, serial = 0, lock, breaks, differs, words, ...instead }) => {
      const state = stacks.state(key);
      for (const [name, value] of Object.entries(live)) value === null ? state.live.delete(`thing.${name}`) : state.live.set(`thing.${name}`, value);
      state.serial += serial;
      if (lock !== undefined) stacks.lock = lock ?? undefined;
      if (breaks !== undefined) stacks.breaksAfter = breaks ?? undefined;
      if (differs !== undefined) stacks.differs = differs;
      if (words !== undefined) stacks.words = words;
      if (Object.keys(instead).length > 0) stacks.instead = insteadOf(stacks, instead);
      return {};
    },
  ),
  /** Somebody overwrites the scope's newest receipt: with this text, or with fields of it changed. */
  tamper: move(z.union([z.string(), z.record(z.string(), z.unknown())]), async (stage, change) => {
    const key = latestKey(scopePath(scopeAtHand(stage)));
    const body = stage.house.bucket.bodies(key).at(-1);
    if (body === undefined) throw new Error(`there is no ${key}`);
    stage.house.bucket.plant(key, typeof change === 'string' ? change : JSON.stringify({ ...(JSON.parse(body) as object), ...change }));
    return {};
  }),
  /** Somebody changes what is stored: the newest object under a prefix, to this text or with these fields. */
  object: move(
    z.strictObject({ under: z.string(), text: z.string().optional(), set: z.record(z.string(), z.unknown()).optional() }),
    async (stage, { under, text, set }) => {
      const key = stage.house.bucket.keys().findLast((one) => one.startsWith(under));
      const body = key === undefined ? undefined : stage.house.bucket.bodies(key).at(-1);
      if (key === undefined || body === undefined) throw new Error(`nothing is stored under ${under}`);
      stage.house.bucket.plant(key, text ?? JSON.stringify({ ...(JSON.parse(body) as object), ...set }));
      return {};
    },
  ),
  /** Somebody changes an item of the scope at hand, or of the newest run: by its sort key, or the first that begins so. */
  item: move(
    z.strictObject({
      of: z.enum(['scope', 'run']),
      sk: z.string(),
      set: z.record(z.string(), z.unknown()).optional(),
      remove: z.array(z.string()).optional(),
      gone: z.literal(true).optional(),
    }),
    async (stage, { of, sk, set, remove, gone }) => {
      const run = stage.house.runs().at(-1);
      const pk = of === 'run' ? `RUN#${run?.id}` : `SCOPE#${scopeKey(scopeAtHand(stage))}`;
      const found = stage.house.memory.items().find((item) => item.pk === pk && item.sk.startsWith(sk));
      if (!found) throw new Error(`there is no item ${pk} ${sk}`);
      const change = gone ? ({ delete: true } as const) : { ...(set ? { set } : {}), ...(remove ? { remove } : {}) };
      await stage.house.memory.table.write(found, change, { is: 'always' });
      return {};
    },
  ),
  /** Another run holds the scope's lease for so many minutes, and is never heard of again. */
  held: move(z.union([z.number(), z.strictObject({ minutes: z.number(), environment: z.string() })]), async (stage, held) => {
    const now = stage.house.clock.now();
    const { minutes, environment } = typeof held === 'number' ? { minutes: held, environment: undefined } : held;
    const key = { pk: `SCOPE#${scopeKey(scopeAtHand(stage, environment))}`, sk: 'LEASE' };
    const lease = { fence: 7, holder: 'somebody-else', grantedAt: now, expiresAt: now + minutes * 60_000, sealedAt: 7, writeId: 'held' };
    await stage.house.memory.table.write(key, { put: lease }, { is: 'always' });
    return {};
  }),
} as const;
