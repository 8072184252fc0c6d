/**
 * What every op promises, whoever wrote it. A new op joins with one {@link OpTrial}; nothing here knows a provider.
 */
import { describe, expect, it } from 'vitest';
import { declaredOutputs } from '../../shared/engine/declared-outputs.ts';
import type { Applied, LiveResource, Op, OpCall, Reading, Recall, Remembered, ResourceChange } from '../../shared/engine/op.ts';
import type { Resolved, ResolvedParams } from '../../shared/engine/value.ts';
import { isKeep, isSecret, type Params, type PlanValue, type ReleaseContext } from '../../shared/plan/types.ts';

/** A provider to try an op against, fresh for every test. */
export interface TrialWorld {
  readonly call: Omit<OpCall, 'identity'>;
  /** Requests so far that were meant to change something. */
  writes(): number;
  /** Method and path of every request so far. */
  asked(): readonly string[];
  /** Performs the next write and breaks the connection before its answer. */
  loseNextAnswer(): void;
  /** Performs the next write and answers it with text that is no answer. */
  answerNonsense(): void;
  /** Lets whatever the provider is busy with come to its end. */
  settle(): void;
  stop(): Promise<void>;
}

export interface OpTrial {
  readonly op: Op;
  /** The line's own keys as a plan file has them. */
  readonly params: Params;
  /** Values of the secrets that `params` names, by reference. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The credential the world's call carries. */
  readonly credential: string;
  /** `keeps`: destroy leaves the resource where it is (a deployment). */
  readonly destroy: 'removes' | 'keeps';
  /** `refused`: a second create of the same thing is refused. */
  readonly secondCreate: 'refused' | 'harmless';
  readonly world: () => Promise<TrialWorld>;
}

const mostRounds = 5;

/** Registers the contract's tests for one op. */
export function describeOpContract(trial: OpTrial): void {
  const { op } = trial;

  describe(`${op.adapter}.${op.name} keeps the contract of an op:`, () => {
    it('its schema takes the line as it stands in a plan, and no unknown key', () => {
      expect(op.params.safeParse(trial.params).success).toBe(true);
      expect(op.params.safeParse({ ...trial.params, surely_unknown: 'x' }).success).toBe(false);
    });

    it('defaults fill in, and change nothing when they are applied again', () =>
      within(trial, ({ call }) => {
        const once = op.defaults(trial.params, call.context);
        expect(op.defaults(once, call.context)).toEqual(once);
      }));

    it('identity, read, diff, lookup and list write nothing', () =>
      within(trial, async (bench) => {
        await bench.inspect();
        const [change] = (await bench.inspect()).changes;
        await op.lookup(remembered({ ...change, key: `${change?.key}-other` }), bench.call);
        await op.list?.(bench.params, bench.call);
        expect(bench.writes()).toBe(0);
      }));

    it('looking for what nobody manages takes no right that a read does not take (R0.13, R0.14)', () =>
      within(trial, async (bench) => {
        await bench.applyAll();
        await bench.inspect();
        const read = new Set(bench.asked());
        await op.list?.(bench.params, bench.call);
        expect(bench.asked().filter((request) => !read.has(request))).toEqual([]);
      }));

    it('what it captures before a write it puts back, and once more does no harm (P4)', () =>
      within(trial, async (bench) => {
        const { resources } = await bench.applyAll();
        const { reading } = await bench.inspect();
        for (const made of resources) {
          const previous = op.capture?.(made.key, reading, bench.params);
          expect(previous === undefined || op.restore !== undefined).toBe(true);
          for (const _ of [1, 2]) if (previous) await op.restore?.(made, previous, bench.call);
          expect(await op.lookup(remembered(made), bench.call)).toMatchObject({ id: made.id, hash: made.hash });
        }
      }));

    it('what is not there is announced as a create, with the hash it will have', () =>
      within(trial, async (bench) => {
        const { changes } = await bench.inspect();
        expect(changes.map((change) => change.kind)).toEqual(changes.map(() => 'create'));
        const { resources } = await bench.applyAll();
        expect(hashes(resources)).toEqual(hashes(changes));
      }));

    it('what is compared with nothing is announced as a create, under the same names and with the same values, without a look', () =>
      within(trial, async (bench) => {
        const { changes } = await bench.inspect();
        const blind = op.diff(bench.params, { resources: [], outputs: {}, live: op.nothingLive }, bench.call.context);
        expect(blind.map(({ key, kind }) => [key, kind])).toEqual(changes.map(({ key }) => [key, 'create']));
        const valuesOf = (found: readonly ResourceChange[]) => found.flatMap(({ fields }) => fields.map(({ path, hashAfter }) => [path, hashAfter]));
        expect(valuesOf(blind)).toEqual(valuesOf(changes));
      }));

    it('a second apply in an unchanged world writes nothing', () =>
      within(trial, async (bench) => {
        const first = await bench.applyAll();
        const before = bench.writes();
        const { reading, changes } = await bench.inspect();
        expect(changes.map((change) => change.kind)).toEqual(changes.map(() => 'unchanged'));
        const second = await op.apply(bench.params, reading, changes, bench.call);
        expect(bench.writes()).toBe(before);
        expect(second).toMatchObject({ done: true, created: [] });
        expect(hashes((second as Done).resources)).toEqual(hashes(first.resources));
      }));

    it('a hash stays while nothing changes: read, looked up and listed again it is the same', () =>
      within(trial, async (bench) => {
        const { resources } = await bench.applyAll();
        for (const _ of [1, 2]) {
          expect(hashes((await bench.inspect()).reading.resources)).toEqual(hashes(resources));
          for (const made of resources) expect(await op.lookup(remembered(made), bench.call)).toMatchObject({ hash: made.hash });
        }
      }));

    it('lines that take over what is there change nothing of it (R0.3)', () =>
      within(trial, async (bench) => {
        if (!op.adopt) return;
        const keys = (await bench.applyAll()).resources.map(({ key }) => key);
        const lines = op.adopt(keys);
        expect(lines.flatMap((line) => line.keys).sort()).toEqual([...keys].sort());
        for (const line of lines) {
          expect(op.params.safeParse(line.params).success).toBe(true);
          const params = resolve(op.defaults(line.params, bench.call.context));
          const changes = op.diff(params, await op.read(params, bench.call), bench.call.context);
          expect(changes.map(({ key, kind }) => [key, kind])).toEqual(line.keys.map((key) => [key, 'unchanged']));
        }
      }));

    it('an apply from a reading that is out of date is refused as "exists", and overwrites nothing', () =>
      within(trial, async (bench) => {
        if (trial.secondCreate === 'harmless') return;
        const stale = await bench.inspect();
        const { resources } = await bench.applyAll();
        const again = op.apply(bench.params, stale.reading, stale.changes, bench.call);
        await expect(again).rejects.toMatchObject({ problem: { code: 'PROVIDER_CONFLICT', details: { exists: true } } });
        expect(hashes((await bench.inspect()).reading.resources)).toEqual(hashes(resources));
      }));

    it('lookup finds what apply made, by id and by key', () =>
      within(trial, async (bench) => {
        for (const made of (await bench.applyAll()).resources) {
          expect(await op.lookup(remembered(made), bench.call)).toMatchObject({ key: made.key, id: made.id, hash: made.hash });
          expect(await op.lookup(remembered({ ...made, id: undefined }), bench.call)).toMatchObject({ key: made.key, id: made.id, hash: made.hash });
        }
      }));

    it('lookup of an id that is not there is undefined, even where another thing has the key', () =>
      within(trial, async (bench) => {
        const [made] = (await bench.applyAll()).resources;
        expect(await op.lookup(remembered({ ...made, key: made?.key ?? '', id: 'never-was' }), bench.call)).toBeUndefined();
      }));

    it.each(['loseNextAnswer', 'answerNonsense'] as const)(
      'a create whose answer is lost (%s) is found again by its key, with the hash that was foretold',
      (fault) =>
        within(trial, async (bench) => {
          const { reading, changes } = await bench.inspect();
          bench[fault]();
          await expect(op.apply(bench.params, reading, changes, bench.call)).rejects.toMatchObject({
            problem: { code: expect.stringMatching(/^PROVIDER_(TRANSIENT|RESPONSE)$/) },
          });
          for (const change of changes)
            expect(await op.lookup(remembered({ key: change.key, recall: change.recall }), bench.call)).toMatchObject({ hash: change.hash });
        }),
    );

    it('destroy removes what it is given, and once more is success', () =>
      within(trial, async (bench) => {
        const { resources } = await bench.applyAll();
        for (const round of [1, 2]) {
          for (const made of resources) await op.destroy(made, bench.call);
          if (round === 1) await stillThere(trial, resources, bench.call);
        }
      }));

    it('immediate outputs are the declared ones, and a later read gives them too', () =>
      within(trial, async (bench) => {
        const { outputs } = await bench.applyAll();
        const immediate = Object.entries(declared(trial)).filter(([, spec]) => spec.available === 'immediate');
        expect(Object.keys(outputs).sort()).toEqual(immediate.map(([name]) => name).sort());
        expect((await bench.inspect()).reading.outputs).toEqual(outputs);
      }));

    it('keys, ids, labels, identity and shown changes carry neither secret nor credential', () =>
      within(trial, async (bench) => {
        const { changes } = await bench.inspect();
        const { resources, outputs } = await bench.applyAll();
        const open = Object.fromEntries(Object.entries(outputs).filter(([name]) => declared(trial)[name]?.sensitive !== true));
        const shown = JSON.stringify([changes, resources, bench.call.identity, open]);
        for (const secret of [trial.credential, ...Object.values(trial.secrets ?? {})]) expect(shown).not.toContain(secret);
        for (const [name, value] of Object.entries(outputs)) if (declared(trial)[name]?.sensitive) expect(shown).not.toContain(String(value));
      }));
  });
}

/** A resource as the ledger remembers it. */
const remembered = ({ key, id, recall }: { readonly key: string; readonly id?: string | undefined; readonly recall?: Recall | undefined }): Remembered => ({
  key,
  ...(id === undefined ? {} : { id }),
  ...(recall === undefined ? {} : { recall }),
});

const declared = ({ op, params }: OpTrial) => declaredOutputs(op, params);

type Done = Extract<Applied, { done: true }>;

/** A world with the op's calls prepared. */
interface Bench extends TrialWorld {
  readonly params: ResolvedParams;
  readonly call: OpCall;
  inspect(): Promise<{ reading: Reading<unknown>; changes: readonly ResourceChange[] }>;
  /** Reads, diffs and applies until it is done, as a job that comes back does. */
  applyAll(): Promise<Done>;
}

async function within(trial: OpTrial, test: (bench: Bench) => void | Promise<void>): Promise<void> {
  const world = await trial.world();
  try {
    await test(await benchOf(trial, world));
  } finally {
    await world.stop();
  }
}

async function benchOf({ op, params: written, secrets = {} }: OpTrial, world: TrialWorld): Promise<Bench> {
  const call: OpCall = { ...world.call, identity: await op.identity(world.call) };
  const params = resolve(op.defaults(written, call.context), secrets);
  const inspect = async () => {
    const reading = await op.read(params, call);
    return { reading, changes: op.diff(params, reading, call.context) };
  };
  const applyAll = async (): Promise<Done> => {
    for (let round = 0; round < mostRounds; round++) {
      const { reading, changes } = await inspect();
      const applied = await op.apply(params, reading, changes, call);
      if (applied.done) return applied;
      expect(applied.seconds).toBeGreaterThanOrEqual(1);
      world.settle();
    }
    throw new Error(`not done after ${mostRounds} rounds`);
  };
  return { ...world, params, call, inspect, applyAll };
}

/** What the engine does with a line whose every value is known. */
export function resolve(params: Params, secrets: Readonly<Record<string, string>> = {}): ResolvedParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, leafOf(value, secrets)]));
}

function leafOf(value: PlanValue, secrets: Readonly<Record<string, string>>): Resolved {
  if (typeof value !== 'object') return { kind: 'known', value, sensitive: false };
  if (isSecret(value)) return { kind: 'known', value: secrets[value.secret] ?? '', sensitive: true, ref: value.secret };
  if (isKeep(value)) return { kind: 'keep' };
  if (Array.isArray(value)) return value.map((entry) => leafOf(entry, secrets));
  return resolve(value as Params, secrets);
}

const hashes = (found: readonly { readonly key: string; readonly hash?: string }[]): [string, string | undefined][] =>
  found.map(({ key, hash }): [string, string | undefined] => [key, hash]).sort(([a], [b]) => (a < b ? -1 : 1));

async function stillThere(trial: OpTrial, resources: readonly LiveResource[], call: OpCall): Promise<void> {
  for (const made of resources) {
    const found = await trial.op.lookup(remembered(made), call);
    if (trial.destroy === 'removes') expect(found).toBeUndefined();
    else expect(found).toMatchObject({ id: made.id });
  }
}

export const context: ReleaseContext = {
  environment: 'preview',
  scope: 'pr-7',
  branch: 'feat/login',
  sha: '9c1f2e3d4b5a69788776655443322110ffeeddcc',
  pullRequest: 7,
};
