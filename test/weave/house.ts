/** What every interleaving begins with: a repository with a dashboard, released once. It is built once, and brought back for each. */
import { decide } from '../../shared/approvals/decision.ts';
import type { ProviderRequest } from '../../shared/engine/op.ts';
import type { Run } from '../../shared/run/items.ts';
import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench } from '../ports/workbench.ts';

/** `open`: whoever may push ticks. `protected`: approvers do. `both`: one row of each kind, a line in each. */
export type Kind = 'open' | 'protected' | 'both';
export const kinds: readonly Kind[] = ['open', 'protected', 'both'];

const environmentsOf: Readonly<Record<Kind, readonly string[]>> = { open: ['staging'], protected: ['production'], both: ['staging', 'production'] };

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
  /** Names at the provider that the plan has, with the values it has at the tip. */
  readonly wanted: Map<string, string>;
  /** Brings everything back as it was when the house was built. */
  back(): void;
}

/** Mona and kim approve in production; sam reads; alex wrote the first commit, and may push. */
export const people = ['mona', 'kim', 'alex', 'sam'] as const;

export async function buildHouse(kind: Kind): Promise<House> {
  const environments = environmentsOf[kind];
  const sent: Sent[] = [];
  const bench = openWorkbench('deployed', {
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
  const house: House = { kind, environments, bench, sent, sentBefore: 0, working: undefined, wanted, back: () => undefined };
  bench.code.people.set('mona', 'write').set('kim', 'write').set('alex', 'write').set('sam', 'read');
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
  bench.code.commit(sha, 'lockkeeper.yaml', policyOf(environments));
  bench.code.tips.set(repository.defaultBranch, sha);
}

function policyOf(environments: readonly string[]): string {
  const drift = { enabled: true, schedule: '1h' };
  const all = { staging: { drift }, production: { approvers: [{ github: 'mona' }, { github: 'kim' }, { github: 'alex' }], drift } };
  return JSON.stringify({
    version: 1,
    events: { push: environments },
    environments: Object.fromEntries(Object.entries(all).filter(([name]) => environments.includes(name))),
    dashboard: { enabled: true },
  });
}

/** Kim approves, in a comment, whatever asks. */
export async function approveWhatAsks(bench: Workbench): Promise<void> {
  for (const run of runsOf(bench).filter(({ phase }) => phase === 'awaiting')) await approve(bench, run);
  await bench.quiet();
}

export async function approve(bench: Workbench, run: Run): Promise<void> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  const at = new Date(bench.clock.now()).toISOString();
  const writer = { table: bench.memory.table, ids: bench.world().ids };
  await decide(writer, { q, digest, run: run.id }, { verdict: 'approve', person: { name: 'kim', through: 'github' }, at });
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
