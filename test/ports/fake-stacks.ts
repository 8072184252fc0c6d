/** An infrastructure tool in memory, whose root makes one thing of each of its variables: what is in its stacks, and how it misbehaves. */
import { createHash } from 'node:crypto';
import { besideApproved, besideOwn } from '../../shared/stacks/compare-changes.ts';
import { openObject, sha256Of } from '../../shared/stacks/sealed-object.ts';
import type { StackChange, StackPlan, ToolFailure, ToolOutcome, ToolWork } from '../../shared/stacks/tool-work.ts';
import type { MemoryObjects } from './memory-objects.ts';
import type { MemoryToolRunner } from './memory-tool-runner.ts';

/** The state that a tool keeps of one stack. */
export interface FakeState {
  lineage: string;
  serial: number;
  /** What the state records, and what there is. */
  readonly recorded: Map<string, string>;
  readonly live: Map<string, string>;
}

export interface FakeStacks {
  readonly bucket: Pick<MemoryObjects, 'bodies'>;
  readonly runner: MemoryToolRunner;
  /** By path and workspace. */
  readonly states: Map<string, FakeState>;
  /** Who holds the tool's lock, where anybody does. */
  lock: NonNullable<ToolFailure['lock']> | undefined;
  /** After so many things an apply breaks off. */
  breaksAfter: number | undefined;
  /** The thing at which it does so is there all the same, and is not what it should be. */
  halfMakes: boolean;
  /** In the place of the tool, where it answers. */
  instead: ((work: ToolWork) => ToolOutcome | 'dies' | 'works' | undefined) | undefined;
  /** Addresses that an apply reports to have done otherwise. */
  differs: readonly string[];
  /** What the tool would say. */
  words: string;
  state(key?: string): FakeState;
  /** What each job was to do. */
  jobs(): string[];
}

/** Makes a runner's processes run this tool. */
export function fakeStacks(bucket: Pick<MemoryObjects, 'bodies'>, runner: MemoryToolRunner): FakeStacks {
  const states = new Map<string, FakeState>();
  const self: FakeStacks = {
    bucket,
    runner,
    states,
    lock: undefined,
    breaksAfter: undefined,
    halfMakes: false,
    instead: undefined,
    differs: [],
    words: 'Plan: some to add.',
    state(key = 'infra/net') {
      const found = states.get(key) ?? { lineage: `lineage of ${key}`, serial: 0, recorded: new Map(), live: new Map() };
      states.set(key, found);
      return found;
    },
    jobs: () => runner.began.map(({ work }) => `${work.do}${work.destroys ? ' of a destroy' : ''}`),
  };
  runner.tool = (work) => self.instead?.(work) ?? run(self, work);
  return self;
}

const keyOf = ({ root: { path, stack } }: ToolWork): string => (stack === undefined ? path : `${path}#${stack}`);

/** How a tool says that it failed. */
export const toolFailed = (cause: ToolFailure['cause'], more: Partial<ToolFailure> = {}): ToolFailure => ({
  did: 'failed',
  cause,
  message: `The tool says ${cause}.`,
  diagnostics: [],
  ...more,
});

function run(self: FakeStacks, work: ToolWork): ToolOutcome {
  const answered = (outcome: object): ToolOutcome => ({ format: 1, words: self.words, ...outcome }) as ToolOutcome;
  const state = self.state(keyOf(work));
  if (self.lock && work.lock) return answered(toolFailed('busy', { lock: self.lock }));
  if (work.do === 'apply') return answered(applySaved(self, work, state));
  const plan = planOf(self, work, state);
  if (work.do === 'plan') return answered({ did: 'planned', plan });
  const unseen = work.approved ? besideApproved(work.approved.changes, plan.changes) : [];
  const beside = [...unseen, ...(work.only ? besideOwn(work.only, plan.changes, String) : [])];
  if (beside.length > 0) return answered(toolFailed('not-approved', { planned: plan }));
  return answered(applied(self, work, state, plan, desiredOf(work)));
}

const markOf = (value: string) => ({ key: 'stack', mac: createHash('sha256').update(value).digest('hex') });

const desiredOf = (work: ToolWork): Map<string, string> =>
  new Map(work.destroys ? [] : Object.entries(work.variables).map(([name, value]) => [`thing.${name}`, String(value)]));

function planOf(self: FakeStacks, work: ToolWork, state: FakeState): StackPlan {
  const desired = desiredOf(work);
  const secret = new Set(work.secretVariables.map((name) => `thing.${name}`));
  const changes = [...new Set([...desired.keys(), ...state.recorded.keys()])].sort().flatMap((address): StackChange[] => {
    const [now, wanted] = [state.live.get(address), desired.get(address)];
    const base = { address, type: 'thing', paths: ['value'] };
    const sides = { ...(now === undefined ? {} : { before: markOf(now) }), ...(wanted === undefined ? {} : { after: markOf(wanted) }) };
    if (now === wanted) return [];
    if (wanted === undefined) return [{ ...base, paths: [], actions: ['delete'], ...sides }];
    if (now === undefined) return [{ ...base, actions: ['create'], ...sides, ...(state.recorded.get(address) === wanted ? { putsBack: true as const } : {}) }];
    if (wanted.startsWith('new:')) return [{ ...base, actions: ['delete', 'create'], replacePaths: ['value'], ...sides }];
    const shown = work.show.includes('thing#value') ? { shown: [{ path: 'value', before: now, after: wanted }] } : {};
    const putsBack = state.recorded.get(address) === wanted ? { putsBack: true as const } : {};
    return [{ ...base, actions: ['update'], ...sides, ...putsBack, ...shown }];
  });
  const drift = [...state.recorded].flatMap(([address, value]) =>
    state.live.get(address) === value
      ? []
      : [
          {
            member: 'infra',
            engine: 'terraform' as const,
            address,
            node: null,
            observedAt: '2026-01-01T00:00:00Z',
            read: 'plan' as const,
            status: state.live.has(address) ? ('drifted' as const) : ('missing' as const),
            ...(state.live.has(address)
              ? { attributes: [{ path: 'value', fingerprints: { key: 'stack', after: markOf(state.live.get(address) ?? '').mac } }] }
              : {}),
          },
        ],
  );
  const bytes = Buffer.from(JSON.stringify({ desired: [...desired], lineage: state.lineage, serial: state.serial, changes, made: self.runner.began.length }));
  const outputs = Object.fromEntries(
    [...desired].flatMap(([address, value]) =>
      state.live.get(address) === value ? [[address.slice('thing.'.length), { value, sensitive: secret.has(address) }]] : [],
    ),
  );
  return {
    changes,
    drift,
    ...(state.serial > 0 ? { state: { lineage: state.lineage, serial: state.serial } } : {}),
    saved: { bytes: bytes.toString('base64'), sha256: sha256Of(bytes) },
    outputs,
    version: '1.11.4',
  };
}

function applySaved(self: FakeStacks, work: ToolWork, state: FakeState): Omit<ToolOutcome, 'format' | 'words'> {
  const plan = work.approved?.plan;
  const body = plan && self.bucket.bodies(plan.object).at(-1);
  let bytes: Buffer;
  try {
    bytes = openObject(body as string, plan as NonNullable<typeof plan>);
  } catch {
    return toolFailed('plan-altered');
  }
  if (sha256Of(bytes) !== plan?.sha256) return toolFailed('plan-altered');
  const saved = JSON.parse(bytes.toString()) as { desired: [string, string][]; serial: number; changes: StackChange[] };
  if (saved.serial !== state.serial) return toolFailed('state-moved');
  return applied(self, work, state, { changes: saved.changes }, new Map(saved.desired));
}

function applied(
  self: FakeStacks,
  work: ToolWork,
  state: FakeState,
  plan: Pick<StackPlan, 'changes'> & Partial<StackPlan>,
  desired: ReadonlyMap<string, string>,
): Omit<ToolOutcome, 'format' | 'words'> {
  const done: string[] = [];
  const wanted = plan.changes.map(({ address }) => address);
  for (const address of wanted) {
    if (self.breaksAfter !== undefined && done.length >= self.breaksAfter) {
      if (self.halfMakes) for (const kept of [state.live, state.recorded]) kept.set(address, 'half');
      return toolFailed('apply-failed', {
        done,
        notDone: wanted.filter((one) => !done.includes(one)),
        state: mark(state),
        ...(plan.version === undefined ? {} : { planned: plan as StackPlan }),
      });
    }
    const value = desired.get(address);
    for (const kept of [state.live, state.recorded]) value === undefined ? kept.delete(address) : kept.set(address, value);
    state.serial += 1;
    done.push(address);
  }
  const secret = new Set(work.secretVariables);
  const outputs = Object.fromEntries(
    [...desired].map(([address, value]) => [address.slice('thing.'.length), { value, sensitive: secret.has(address.slice('thing.'.length)) }]),
  );
  return {
    did: 'applied',
    ...(plan.version === undefined ? {} : { plan: plan as StackPlan }),
    changes: plan.changes,
    differs: self.differs,
    outputs,
    ...(state.serial > 0 ? { state: mark(state) } : {}),
    resources: [...state.recorded.keys()],
  } as Omit<ToolOutcome, 'format' | 'words'>;
}

const mark = ({ lineage, serial }: FakeState) => ({ lineage, serial });
