import { type Decision, makeSureOf, noteIgnored, readDecisions } from '../approvals/decision.ts';
import { electorateFor } from '../approvals/electorate.ts';
import { type Judged, judgeDecisions } from '../approvals/judge-decisions.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { policyOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { Again } from './again.ts';
import { questionOf, type Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import type { ReportedDecision } from './report.ts';
import { logEvent } from './run-log.ts';
import type { ControlWorld } from './world.ts';

/** Decisions as receipts and people see them. Nobody verified the person at the terminal of an embedded stack. */
export const reportedDecisions = (decisions: readonly Decision[]): ReportedDecision[] =>
  decisions.map(({ verdict, person, at }) => ({
    verdict,
    person: person.name,
    standing: person.through === 'machine' ? 'unverified, self' : 'verified',
    through: person.through,
    at,
  }));

/**
 * What the answers to a run's question come to now, by who may decide now. Those that do not count are named in the run's log and beside
 * the decision, each once.
 *
 * @param policy of the default branch, where the caller has read it.
 */
export async function judgeAsked(world: ControlWorld, run: Run, policy?: Policy): Promise<Judged> {
  const question = { ...questionOf(run), run: run.id };
  const answers = await readDecisions(world.table, question);
  const decisions = world.codeHost.unverified ? withoutHost(answers) : answers;
  const people = decisions.map(({ person }) => person);
  // Nobody's word at their own machine hangs on policy.
  const known = policy ?? (people.some(({ through }) => through !== 'machine') ? await policyNow(world, run) : policyOf());
  if (known === undefined) return { counted: [], ignored: [] };
  if (decisions.length === 0) return { counted: [], ignored: [], approvals: { by: [], required: run.required ?? 1 } };
  const judged = judgeDecisions(decisions, await electorateFor(world, known, run, people));
  // What cannot be known without the host is no news about anybody.
  for (const { decision, code, why } of world.codeHost.unverified ? [] : judged.ignored) {
    const masked = world.redactor.mask(why);
    if (!(await noteIgnored(world, question, decision, masked))) continue;
    world.log.warn('a decision does not count', { run: run.id, person: world.redactor.mask(decision.person.name), code, why: masked });
    await logEvent(world, run, 'decision ignored', { detail: `${world.redactor.mask(decision.person.name)}: ${masked}` });
  }
  return judged;
}

/**
 * The answers that can be judged while the host is away: those of AWS principals. A rejection through anything else may count as soon as it
 * answers, so that with one nothing is approved until then.
 */
function withoutHost(answers: readonly Decision[]): Decision[] {
  const blocked = answers.some(({ verdict, person, ignored }) => verdict === 'reject' && person.through !== 'aws' && ignored === undefined);
  return answers.filter(({ verdict, person }) => person.through === 'aws' && !(blocked && verdict === 'approve'));
}

/** Why one answer does not count now, for whoever gave it; undefined: it counts. The run's own step judges it again, and notes it. */
export async function whyIgnored(world: ControlWorld, run: Run, decision: Decision): Promise<Problem | undefined> {
  const policy = await policyNow(world, run);
  if (!policy) return { code: 'POLICY_INVALID', message: 'The answer is recorded. While the policy has a mistake in it nobody can decide.' };
  const first = await ignoredBy(world, policy, run, decision);
  return first && { code: first.code, message: `The answer is recorded and does not count. ${first.why}` };
}

async function ignoredBy(world: ControlWorld, policy: Policy, run: Run, decision: Decision): Promise<Judged['ignored'][number] | undefined> {
  return judgeDecisions([decision], await electorateFor(world, policy, run, [decision.person])).ignored[0];
}

/** Notes beside an answer why it does not count, where it does not, so that it stands in nobody's place. Returns whether it stands in none now. */
export async function standsForNothing(world: ControlWorld, run: Run, decision: Decision): Promise<boolean> {
  const policy = await policyNow(world, run);
  const found = policy && (await ignoredBy(world, policy, run, decision));
  if (found) await noteIgnored(world, { ...questionOf(run), run: run.id }, decision, world.redactor.mask(found.why));
  return found !== undefined;
}

/** A mistake in the policy names no approver: nobody's answer counts before it is mended, and the question stays. */
async function policyNow(world: ControlWorld, run: Run): Promise<Policy | undefined> {
  try {
    return await loadPolicy(world, run.repository);
  } catch (error) {
    const problem: Problem = problemOf(error);
    if (problem.code !== 'POLICY_INVALID') throw error;
    world.log.warn('nobody can decide while the policy is wrong', { run: run.id, code: problem.code });
    return undefined;
  }
}

/**
 * The answers that were judged, none of which can be taken back any more: asked right before anything comes of them (P7).
 *
 * @throws Again when one was withdrawn, or changed, since it was read: all are judged again.
 */
export async function sureOf(world: ControlWorld, run: Run, counted: readonly Decision[]): Promise<readonly Decision[]> {
  if (await makeSureOf(world, { ...questionOf(run), run: run.id }, counted, run.step?.attempt ?? 0)) return counted;
  throw new Again(`an answer to run ${run.id} was taken back meanwhile`, 0);
}
