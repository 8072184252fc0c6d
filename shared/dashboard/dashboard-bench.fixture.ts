import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench } from '../../test/ports/workbench.ts';
import { type IssueItem, issueItemOf } from './issue-item.ts';
import { boxesIn } from './marker.ts';
import type { Row } from './row.ts';
import type { Tick } from './tick.ts';

/** A bench whose repository has a dashboard; `production` is pushed to, `staging` too and not protected. */
export function benchWithBoard(staging = '{}'): Workbench {
  const bench = openWorkbench('deployed');
  onBoard(bench, staging);
  return bench;
}

/** Gives a bench's repository a dashboard. */
export const onBoard = (bench: Workbench, staging = '{}'): void => setPolicy(bench, staging);

/** The policy as it lies at the tip of the default branch, and at every commit that is pushed after. */
export function setPolicy(bench: Workbench, staging: string, dashboard = '{enabled: true}'): void {
  policies.set(bench, `version: 1\nevents: {push: [staging]}\nenvironments: {staging: ${staging}}\ndashboard: ${dashboard}\n`);
  const tip = bench.code.tips.get('main') ?? commitOf('base');
  bench.code.tips.set('main', tip);
  bench.code.commit(tip, 'lockkeeper.yaml', policies.get(bench) ?? '');
}
const policies = new WeakMap<Workbench, string>();

/** Pushes a commit with these lines, until it is quiet. */
export async function pushed(bench: Workbench, commit: string, changes: readonly object[]): Promise<void> {
  bench.clock.advance(1000);
  bench.code.history.push(commitOf(commit));
  bench.code.commit(commitOf(commit), 'lockkeeper.yaml', policies.get(bench) ?? '');
  bench.code.commit(commitOf(commit), planPath, planOf(changes, { environments: ['staging'] }));
  await bench.push(commit);
  await bench.quiet();
}

/** Somebody edits the dashboard, and the webhook tells of it. */
export async function edited(bench: Workbench, login: string, change: (body: string) => string): Promise<void> {
  const { number } = theIssue(bench);
  bench.code.issues.edit(number, login, change);
  await told(bench, login);
}

export async function told(bench: Workbench, login = 'mona', action: 'edited' | 'closed' | 'deleted' = 'edited'): Promise<void> {
  const { number } = theIssue(bench);
  await bench.happens({ format: 7, event: 'issues', action, repository, sender: { login, type: 'User' }, issue: { number } });
}

/** Ticks the first box of that kind in the body. */
export const ticking =
  (box: string) =>
  (body: string): string =>
    body.replace(new RegExp(`- \\[ \\] ([^\\r\\n]*<!-- lockkeeper:${box} )`), '- [x] $1');

export const theIssue = (bench: Workbench) =>
  bench.code.issues.kept.find(({ ours, gone, open }) => ours && !gone && open) ?? bench.code.issues.kept[0] ?? { number: 0 };
export const bodyNow = (bench: Workbench): string => bench.code.issues.body(theIssue(bench).number);
export const boxesNow = (bench: Workbench) => boxesIn(bodyNow(bench));
export const issueNow = (bench: Workbench): IssueItem => issueItemOf(bench.memory.items().find(({ sk }) => sk === 'ISSUE')) as IssueItem;
export const rowsNow = (bench: Workbench): Row[] => bench.memory.items().filter(({ sk }) => sk.startsWith('ROW#')) as unknown as Row[];
export const ticksNow = (bench: Workbench): Tick[] => bench.memory.items().filter(({ sk }) => sk.startsWith('TICK#')) as unknown as Tick[];
