/** What every interleaving begins with: a repository with a dashboard, released once. It is built once, and brought back for each. */
import { decide } from '../../shared/approvals/decision.ts';
import type { ProviderRequest } from '../../shared/engine/op.ts';
import type { Run } from '../../shared/run/items.ts';
import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench } from '../ports/workbench.ts';

/** `open`: whoever may push ticks. `protected`: approvers do. `two`: two of them have to. `both`: one row of each kind, a line in each. */
export type Kind = 'open' | 'protected' | 'two' | 'both';
export const kinds: readonly Kind[] = ['open', 'protected', 'both', 'two'];

const environmentsOf: Readonly<Record<Kind, readonly string[]>> = {
  open: ['staging'],
  protected: ['production'],
  two: ['production'],
  both: ['staging', 'production'],
};

/** Clocks that are off by as much as the template allows, and leases that are long enough for it. */
const skewed = { leaseTtl: 300_000, skew: 30_000 } as const;

/** A write that reached the provider. */
export interface Sent {
  readonly run: string;
  readonly line: string;
  readonly method: string;
  readonly name: string;
  readonly from: string | undefined;
  readonly value: string | undefined;
}

export interface House {
  readonly kind: Kind;
  readonly environments: readonly string[];
  readonly bench: Workbench;
  readonly sent: Sent[];
  /** How many of these the house was built with. */
  sentBefore: number;
  /** The line job that is delivered now. */
  working: { readonly run: string; readonly line: string } | undefined;
  /** How far the clock of the next function is off, ms. */
  offBy: () => number;
  /** Names at the provider that the plan has, with the values it has at the tip. */
  readonly wanted: Map<string, string>;
  /** Brings everything back as it was when the house was built. */
  back(): void;
}

/** Mona, kim and lee approve in production; sam reads; alex wrote the first commit, and may push. */
export const people = ['mona', 'kim', 'lee', 'alex', 'sam'] as const;

export async function buildHouse(kind: Kind, clocks: 'exact' | 'skewed'): Promise<House> {
  const environments = environmentsOf[kind];
  const sent: Sent[] = [];
  const bench = openWorkbench('deployed', {
    ...(clocks === 'skewed' ? { timing: skewed, skewed: () => house.offBy() } : {}),
    provider: {
      async send<T>(request: ProviderRequest<T>): Promise<T> {
        const { method, path, body } = request;
        const given = body as { name?: string; value?: string } | undefined;
        const before = bench.provider.things().find(({ id, name }) => (method === 'POST' ? name === given?.name : id === path.split('/')[1]));
        const answer = await bench.provider.http.send(request);
        if (method !== 'GET')
          sent.push({
            run: house.working?.run ?? '',
            line: house.working?.line ?? '',
            method,
            name: given?.name ?? before?.name ?? path,
            from: before?.value,
            value: given?.value,
          });
        return answer;
      },
    },
  });
  const wanted = new Map([
    ['x', '1'],
    ['y', '2'],
  ]);
  const house: House = { kind, environments, bench, sent, sentBefore: 0, working: undefined, offBy: () => 0, wanted, back: () => undefined };
  bench.code.people.set('mona', 'write').set('kim', 'write').set('lee', 'write').set('alex', 'write').set('sam', 'read');
  bench.code.bots.add('helper[bot]');
  commitAs(house, 'c0');
  bench.code.authors.set(commitOf('c0'), ['alex']);
  await bench.push('c0');
  await bench.quiet();
  await approveWhatAsks(bench);
  const start = bench.provider.names().join();
  if (start !== 'x=1,y=2') throw new Error(`the house is not as it should be: ${start}`);
  const again = [bench.keep(), keepIssues(bench)];
  const [written, history] = [sent.length, bench.code.history.length];
  house.sentBefore = written;
  house.back = () => {
    for (const back of again) back();
    sent.length = written;
    bench.code.history.length = history;
    bench.code.issues.onCall = undefined;
    bench.code.onAsk = undefined;
    bench.memory.faults.clear();
    house.working = undefined;
    house.offBy = () => 0;
    wanted.set('x', '1').set('y', '2');
  };
  return house;
}

/** The default branch has this commit, with the plan as it is wanted now, and nobody is told. */
export function commitAs({ bench, kind, environments, wanted }: House, commit: string): void {
  const sha = commitOf(commit);
  const [x, y] = [wanted.get('x'), wanted.get('y')];
  const apart = kind === 'both' ? [{ environments: ['staging'] }, { environments: ['production'] }] : [{}, {}];
  const lines = [
    { id: 'a', ...apart[0], things: { x } },
    { id: 'b', ...apart[1], things: { y } },
  ];
  bench.code.history.push(sha);
  bench.code.commit(sha, planPath, planOf(lines, { environments: [...environments] }));
  bench.code.commit(sha, 'lockkeeper.yaml', policyOf(kind, environments));
  bench.code.tips.set(repository.defaultBranch, sha);
}

export function policyOf(kind: Kind, environments: readonly string[]): string {
  const drift = { enabled: true, schedule: '1h' };
  const all = {
    staging: { drift },
    production: {
      ...(kind === 'two' ? { required: 2 } : {}),
      approvers: [{ github: 'mona' }, { github: 'kim' }, { github: 'lee' }, { github: 'alex' }],
      drift,
    },
  };
  return JSON.stringify({
    version: 1,
    events: { push: environments },
    environments: Object.fromEntries(Object.entries(all).filter(([name]) => environments.includes(name))),
    dashboard: { enabled: true },
  });
}

/** Kim and lee approve, in comments, whatever asks. */
export async function approveWhatAsks(bench: Workbench): Promise<void> {
  for (const run of runsOf(bench).filter(({ phase }) => phase === 'awaiting')) for (const name of ['kim', 'lee']) await approve(bench, run, name);
  await bench.quiet();
}

export async function approve(bench: Workbench, run: Run, name: string): Promise<void> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  const at = new Date(bench.clock.now()).toISOString();
  const writer = { table: bench.memory.table, ids: bench.world().ids };
  await decide(writer, { q, digest, run: run.id }, { verdict: 'approve', person: { name, through: 'github' }, at });
  await bench.queues.queues.control({ format: 1, run: run.id, group: repository.id });
}

export const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];

function keepIssues({ code: { issues } }: Workbench): () => void {
  const kept = issues.kept.map((one) => [one, [...one.edits], one.open, one.title, one.gone] as const);
  return () => {
    issues.kept.length = kept.length;
    for (const [one, edits, open, title, gone] of kept) {
      one.edits.splice(0, one.edits.length, ...edits);
      Object.assign(one, { open, title, gone });
    }
  };
}
