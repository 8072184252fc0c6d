/** Webhooks about what there is: pull request 7, the default branch, checks, comments and questions of a simulator that has released both. */
import { identifierOf } from '../../../events/pressed.ts';
import { questionTag } from '../../../shared/approvals/question.ts';
import type { Run } from '../../../shared/run/items.ts';
import { deploymentHook, type Hook, pullHook, pushHook } from '../../crash/hooks.ts';
import { openSimulator, type Simulator } from '../../crash/simulator.ts';
import { pushed } from '../../crash/stories/approval.ts';
import { commitOf, repository } from '../../ports/workbench.ts';
import { runsOf } from '../../property/stage.ts';
import type { Random } from '../../weave/random.ts';
import { stackSecrets } from './canaries.ts';

const author = 'mona';
const commentId = 31;

const changes = [
  { id: 'a', things: { a: { secret: 'env://DATABASE_URL' } } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

/** A pull request is released; production asks. */
export async function released(): Promise<Simulator> {
  const simulator = openSimulator();
  const { bench } = simulator;
  // The host says which repository goes by a name, whatever an event says.
  bench.code.repository = repository;
  bench.code.people.set(author, 'write');
  for (const [name, value] of Object.entries(stackSecrets)) bench.secrets.set(name, value);
  await pushed(
    simulator,
    'main',
    changes.map((line) => ({ ...line, id: `${line.id}-main`, things: { [`${line.id}-main`]: '1' } })),
  );
  bench.pull(7, 'one', changes);
  await simulator.hook(pullHook('opened', 7, 'one'));
  await simulator.rest();
  const phases = runsOf(bench)
    .map(({ phase }) => phase)
    .sort();
  if (phases.join() !== 'awaiting,done') throw new Error(`the simulator’s runs rest in ${phases}`);
  return simulator;
}

const around = (): Pick<Record<string, unknown>, string> => {
  const { repository: own, sender } = pullHook('opened', 7, 'one').payload as Record<string, unknown>;
  return { repository: own, sender };
};

type Made = (simulator: Simulator, random: Random) => Hook;

const asking = ({ bench }: Simulator): Run => runsOf(bench).find(({ phase }) => phase === 'awaiting') as Run;
const over = ({ bench }: Simulator): Run => runsOf(bench).find(({ phase }) => phase === 'done') as Run;

const words: readonly ((run: Run) => string)[] = [
  () => '/lockkeeper retry',
  () => '/lockkeeper prune --all',
  () => '/lockkeeper prune a',
  ({ question }) => `/lockkeeper approve ${question?.digest.slice(0, 12)}`,
  ({ question }) => `/lockkeeper reject ${question?.digest}`,
  () => '/lockkeeper approve',
  ({ question }) => `/lockkeeper withdraw ${question?.digest.slice(0, 12)}`,
  ({ id }) => `/lockkeeper cancel ${id.slice(0, 12)}`,
  ({ id }) => `/lockkeeper undo ${id}`,
  () => '/lockkeeper adopt a',
  () => '/lockkeeper reconcile b',
  () => '/lockkeeper accept a until 2099-13-45 because',
  () => '/lockkeeper recreate \u202eb',
];

/** One good event of each kind that starts something. */
export const hooks: readonly Made[] = [
  (_simulator, random) => pullHook(random.one(['opened', 'synchronize', 'reopened', 'closed']), 7, random.one(['one', 'two', 'main'])),
  () => {
    const { event, payload } = pullHook('opened', 7, 'one');
    return { event, payload: { ...payload, action: 'edited', changes: { base: { ref: { from: 'old' } } } } };
  },
  (_simulator, random) => pushHook(random.one(['main', 'one'])),
  (_simulator, random) => deploymentHook(random.one(['one', 'main']), random.one(['success', 'failure'])),
  (simulator, random) => {
    const run = random.one([asking(simulator), over(simulator)]);
    return { event: 'check_run', payload: { action: 'rerequested', check_run: { id: 4, head_sha: run.commit, external_id: run.id }, ...around() } };
  },
  (simulator, random) => {
    const run = asking(simulator);
    const { digest, q } = run.question as NonNullable<Run['question']>;
    const verb = random.one(['approve', 'reject'] as const);
    const identifier = random.chance(0.2)
      ? identifierOf({ verb: 'reconcile' })
      : identifierOf({ verb, digest: digest.slice(0, 12), question: questionTag({ run: run.id, q }) });
    const check_run = { id: 4, head_sha: run.commit, external_id: run.id };
    return { event: 'check_run', payload: { action: 'requested_action', check_run, requested_action: { identifier }, ...around() } };
  },
  (_simulator, random) => ({
    event: 'check_suite',
    payload: { action: 'rerequested', check_suite: { head_sha: commitOf(random.one(['one', 'main', 'gone'])) }, ...around() },
  }),
  (simulator, random) => {
    const body = random.one(words)(asking(simulator));
    simulator.bench.code.written.set(commentId, { login: author, body });
    const issue = { number: 7, state: 'open', pull_request: {} };
    return { event: 'issue_comment', payload: { action: 'created', issue, comment: { id: commentId, body }, ...around() } };
  },
  () => {
    const user = { login: 'lockkeeper[bot]', type: 'Bot' };
    const body = '<!-- lockkeeper:dashboard v="1" -->\r\n**0 pending**';
    return { event: 'issues', payload: { action: 'edited', issue: { number: 11, body, user }, changes: { body: { from: body } }, ...around() } };
  },
];
