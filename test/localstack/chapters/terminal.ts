import type { RunReport } from '../../../shared/run/report.ts';
import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { mark, short, writesSince } from '../../e2e/story/moves.ts';
import { quiet } from '../../e2e/story/world.ts';
import { demo } from '../../sim/seed.ts';
import { stackName } from '../cdk.ts';
import type { Checkout } from '../checkout.ts';
import type { Person } from '../person.ts';

const here = ['--stack', stackName];
const planFile = 'release.plan.yaml';

/** One variable, on the branch at hand. */
const variablePlan = (mode: string): string => `version: 1
providers:
  vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} }
changes:
  - { id: mode, adapter: vercel, op: env, values: { TERMINAL_MODE: ${mode}, STRIPE_KEY: { secret: env://STRIPE_KEY } } }
`;

/** The policy that maps people to the principals they come as. */
export const policyOf = (...people: readonly Person[]): string => `version: 1
stack: ${stackName}
environments:
  production:
    approvers:
${people.map(({ github, principal }) => `      - github: ${github}\n        aws: ${principal}\n`).join('')}`;

/** A person at a terminal, whose commands the stack carries out. */
export const terminal = (checkout: Checkout, ada: Person, grace: Person): Chapter => ({
  name: 'terminal',
  title: 'A person works through the stack, from a terminal',
  after: [],
  async tell(world, page) {
    checkout.push('main', { 'lockkeeper.yaml': policyOf(ada, grace) });
    const commit = checkout.push('terminal', { [planFile]: variablePlan('first') });
    const before = mark(world);

    const second = await checkout.ask(ada, 'apply');
    check(second.exit === 2 && second.document.error?.code === 'STACK_EXISTS', 'a second ledger is refused', second);
    page.step('lockkeeper.yaml names the stack; somebody types lockkeeper apply without it', `refused, STACK_EXISTS. ${second.document.error.hint}`);

    const nobody = await checkout.ask(undefined, 'apply', ...here);
    check(nobody.exit === 2 && nobody.document.error?.code === 'APPROVER_NOT_A_PERSON', 'credentials of nobody in particular are refused', nobody);
    checkout.write({ [planFile]: variablePlan('dirty') });
    const dirty = await checkout.ask(ada, 'apply', ...here);
    check(dirty.exit === 2 && dirty.document.error?.code === 'COMMIT_NOT_PUSHED', 'a dirty plan file is refused', dirty);
    checkout.git('checkout', '--quiet', '--', planFile);
    const elsewhere = await checkout.ask(ada, 'apply', '--stack', 'Nowhere');
    check(elsewhere.document.error?.code === 'STACK_EXISTS', 'another stack than the one named is refused', elsewhere);
    check(writesSince(world, before).length === 0, 'nothing of it has written anything', writesSince(world, before));
    page.step(
      'with --stack, but as the root user; with a plan file that is not committed; with another stack’s name',
      'refused: APPROVER_NOT_A_PERSON, COMMIT_NOT_PUSHED, STACK_EXISTS; each says what to do',
    );

    const plan = await checkout.ask(ada, 'plan', ...here);
    check(plan.exit === 0, 'the plan is made', plan);
    const applied = await checkout.ask(ada, 'apply', ...here);
    const receipt = applied.document['receipt'] as RunReport;
    check(applied.exit === 0 && receipt.status === 'complete' && receipt.commit === commit, 'the stack applies the pushed commit', applied);
    check(writesSince(world, before).length > 0, 'the functions have written at Vercel');
    await quiet(world);
    const again = mark(world);
    const unchanged = await checkout.ask(ada, 'apply', ...here);
    check(unchanged.exit === 0 && writesSince(world, again).length === 0, 'applied once more, nothing is written (I3)', unchanged);
    page.step(
      `ada pushes ${short(commit)} and types lockkeeper apply --stack ${stackName}`,
      'queued, carried out by the functions, shown here; once more: unchanged',
    );

    await mistaken(checkout, ada);
    page.step(
      'the same without credentials; for a stack that is not there; for one that is not Lockkeeper’s',
      'AWS_ACCESS and STACK_UNKNOWN twice, each with what to do and without a stack trace',
    );

    await look(checkout, ada, receipt);
    page.step('lockkeeper runs, log, show and receipt --stack', 'three runs, the log of one, one managed resource set, and a chain of two receipts that holds');

    const destroyed = await checkout.ask(ada, 'destroy', ...here);
    check(destroyed.exit === 0, 'what was made is removed', destroyed);
    page.step('lockkeeper destroy --stack', 'what the branch had made is gone');
    await quiet(world);
  },
});

/** What goes wrong on the way to a stack. */
async function mistaken(checkout: Checkout, ada: Person): Promise<void> {
  const without = {
    ...ada,
    credentials: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
  };
  const unknown = await checkout.ask(without, 'runs', ...here);
  check(unknown.exit === 1 && unknown.document.error?.code === 'AWS_ACCESS', 'no credentials', unknown);
  const nowhere = await checkout.ask(ada, 'runs', '--stack', 'Nowhere');
  check(nowhere.exit === 2 && nowhere.document.error?.code === 'STACK_UNKNOWN', 'no such stack', nowhere);
  const foreign = await checkout.ask(ada, 'runs', '--stack', 'CDKToolkit');
  check(foreign.document.error?.code === 'STACK_UNKNOWN' && foreign.document.error.message.includes('TableName'), 'a stack of somebody else’s', foreign);
  const said = await checkout.type(without, 'runs', ...here);
  check(said.exit === 1 && /^error AWS_ACCESS .*\n {4}\S.*\n$/.test(said.stderr), 'one problem and one hint, no stack trace', said);
}

async function look(checkout: Checkout, ada: Person, receipt: RunReport): Promise<void> {
  const runs = await checkout.ask(ada, 'runs', ...here);
  const listed = (runs.document['runs'] as { run: string; scope: string }[]).filter(({ scope }) => scope === 'branch-terminal');
  check(runs.document['repository'] === String(demo.repositoryId) && listed.length === 3, 'plan and both applies are listed, under GitHub’s number', runs);
  const log = await checkout.ask(ada, 'log', receipt.run.slice(0, 12), ...here);
  const events = (log.document['events'] as { event: string }[]).map(({ event }) => event);
  check(events.includes('prepared') && events.includes('settled'), 'the log tells how a run went', log);
  const show = await checkout.ask(ada, 'show', ...here);
  check((show.document['managed'] as unknown[]).length === 2 && show.document['lock'] === null, 'show lists what is managed, and nobody holds the lease', show);
  const latest = await checkout.ask(ada, 'receipt', ...here);
  check((latest.document['chain'] as { holds: boolean; links: number }).holds, 'the chain of receipts holds', latest);
  const one = await checkout.type(ada, 'receipt', receipt.run, ...here);
  check(one.exit === 0 && one.stdout.includes(receipt.run), 'a run’s own receipt is shown', one);
}
