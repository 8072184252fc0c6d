import type { RunReport } from '../../../shared/run/report.ts';
import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { mark, short, writesSince } from '../../e2e/story/moves.ts';
import { quiet } from '../../e2e/story/world.ts';
import { demo } from '../../sim/seed.ts';
import { stackName } from '../cdk.ts';
import type { Checkout, Document } from '../checkout.ts';
import type { Person } from '../person.ts';

const here = ['--stack', stackName];
const there = ['--env', 'production', ...here];

/** One variable of the live site. */
const livePlan = (mode: string): string => `version: 1
providers:
  vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} }
changes:
  - { id: live, adapter: vercel, op: env, target: production, values: { LIVE_MODE: ${mode} } }
`;

interface Asked {
  readonly exit: number | null;
  readonly document: Document;
}

/** The first twelve digits of the digest that a command printed. */
function digestIn({ exit, document }: Asked): string {
  const digest = String(document['digest']);
  check(exit === 2 && document.error?.code === 'ENV_NOT_APPROVED' && /^[0-9a-f]{64}$/.test(digest), 'the run parks, and says which digest to answer', document);
  return digest.slice(0, 12);
}

const receiptIn = ({ document }: Asked): RunReport => document['receipt'] as RunReport;

/** A release to production: parked in Step Functions, decided by digest, by people who are told apart by their AWS principals. */
export const production = (checkout: Checkout, ada: Person, grace: Person): Chapter => ({
  name: 'production',
  title: 'Production is asked about, and answered from a terminal',
  after: ['terminal'],
  async tell(world, page) {
    const before = mark(world);
    const nothing = (sentence: string) => check(writesSince(world, before).length === 0, sentence, writesSince(world, before));
    const commit = checkout.push('main', { 'release.plan.yaml': livePlan('first') });
    const digest = digestIn(await checkout.ask(grace, 'apply', ...there));
    nothing('nothing is written before somebody decides');
    page.step(
      `grace types lockkeeper apply --env production for ${short(commit)}`,
      'planned, parked in Step Functions; exit 2, with the digest and what to type',
    );

    const own = await checkout.ask(grace, 'approve', digest, ...here);
    check(own.exit === 2 && own.document.error?.code === 'NOT_AN_APPROVER', 'nobody approves what they started', own);
    const nobody = await checkout.ask(undefined, 'approve', digest, ...here);
    check(nobody.exit === 2 && nobody.document.error?.code === 'APPROVER_NOT_A_PERSON', 'an unmapped principal approves nothing', nobody);
    const wrong = await checkout.ask(ada, 'approve', 'f'.repeat(12), ...here);
    check(wrong.document.error?.code === 'QUESTION_UNKNOWN', 'a digest nobody asked about is refused', wrong);
    nothing('none of them has let anything be written');
    page.step(
      'grace approves it herself; the root user approves it; ada approves another digest',
      'NOT_AN_APPROVER, APPROVER_NOT_A_PERSON, QUESTION_UNKNOWN; the run stays parked',
    );

    const approved = await checkout.ask(ada, 'approve', digest, ...here);
    const receipt = receiptIn(approved);
    check(approved.exit === 0 && receipt.status === 'complete', 'approved by digest, it is applied', approved);
    const [decision] = receipt.decisions ?? [];
    check(decision?.person === 'ada' && decision.standing === 'verified', 'the receipt names who approved it, verified', receipt.decisions);
    check(writesSince(world, before).length > 0, 'the live variable is written');
    page.step(
      `ada types lockkeeper approve ${digest}`,
      'the token is completed, the guard looks again, the line is applied; the receipt says: approved by ada, verified',
    );

    await shown(checkout, ada, receipt);
    page.step('lockkeeper runs, log and receipt of it', 'the run and how it went; the receipt, in a chain that holds');

    await rejected(checkout, ada, grace);
    page.step(
      'the next change is planned; ada rejects it, and later has it run again',
      'ended as rejected, nothing written; the retry asks anew, and grace approves it: it was ada who asked this time',
    );
    await quiet(world);
  },
});

async function shown(checkout: Checkout, ada: Person, { run }: RunReport): Promise<void> {
  const runs = await checkout.ask(ada, 'runs', ...here);
  const listed = (runs.document['runs'] as { run: string; status: string; environment: string }[]).find((one) => one.run === run);
  check(listed?.status === 'complete' && listed.environment === 'production', 'the run is listed', runs);
  const log = await checkout.ask(ada, 'log', run, ...here);
  check(
    (log.document['events'] as { event: string }[]).some(({ event }) => event === 'asked'),
    'its log says that people were asked',
    log,
  );
  const receipt = await checkout.ask(ada, 'receipt', ...there);
  check(
    receiptIn(receipt).run === run && (receipt.document['chain'] as { holds: boolean }).holds,
    'the receipt of production is shown, and its chain holds',
    receipt,
  );
}

async function rejected(checkout: Checkout, ada: Person, grace: Person): Promise<void> {
  checkout.push('main', { 'release.plan.yaml': livePlan('second') });
  const asked = await checkout.ask(grace, 'apply', ...there);
  const rejection = await checkout.ask(ada, 'reject', digestIn(asked), ...here);
  check(rejection.exit === 0 && receiptIn(rejection).status === 'rejected', 'rejected, the run ends', rejection);
  const again = await checkout.ask(ada, 'retry', receiptIn(rejection).run, ...here);
  const approved = await checkout.ask(grace, 'approve', digestIn(again), ...here);
  check(approved.exit === 0 && receiptIn(approved).status === 'complete', 'run again and approved by somebody else, it is applied', approved);
}
