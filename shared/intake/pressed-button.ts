import type { IntakeOf } from '../../events/intake.ts';
import type { Pressed } from '../../events/pressed.ts';
import { accountOf, type Decision, readDecisions } from '../approvals/decision.ts';
import { questionTag } from '../approvals/question.ts';
import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import { optionsOfSaid, ruleLine } from '../rulings/rule-line.ts';
import { createRun } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';
import { publishNote } from '../run/publish.ts';
import { openOf } from '../run/questions.ts';
import { readAsked } from '../run/read-asked.ts';
import { readRun } from '../run/run-store.ts';
import { becameInRun } from '../run/what-became.ts';
import type { ControlWorld } from '../run/world.ts';
import { editedLines } from '../surfaces/check-actions.ts';
import { refusedAnswer } from '../surfaces/refused-answer.ts';
import { answerAs } from './answer-question.ts';
import { passes } from './passes.ts';

/** What an event says of a pressed button. */
export type PressedIntake = IntakeOf<'check_run'> & { readonly check: { readonly pressed: Pressed; readonly id: number } };

/**
 * Somebody pressed a button of a check. The check is one of ours if the run whose id it carries is of this repository and commit. What is
 * refused is said on that very check, where whoever pressed it looks.
 */
export async function pressedButton(world: ControlWorld, intake: PressedIntake, repository: Repository): Promise<void> {
  const { sha, externalId, pressed, id } = intake.check;
  const run = await readRun(world.table, externalId);
  if (run?.repository.id !== repository.id || run.commit !== sha) return world.log.warn('a button of a check that is none of ours', { intake: intake.id });
  const problem = pressed.verb === 'reconcile' ? await reconcile(world, intake, run) : await answer(world, intake, run, pressed);
  if (!problem) return;
  world.log.info('a button was pressed for nothing', { intake: intake.id, run: run.id, verb: pressed.verb, code: problem.code });
  const asked = pressed.verb === 'reconcile' ? pressed.verb : `${pressed.verb} ${pressed.digest}`;
  // What stands there is read anew: the answer may have moved the run.
  const now = (await readRun(world.table, run.id)) ?? run;
  await publishNote(
    world,
    now,
    refusedAnswer({ author: intake.sender.login, asked, problem: maskProblem(world, problem), stack: world.stackName }, run.pullRequest !== undefined),
    id,
  );
}

/** The button names the question that stood beside it: one of an older question, or of a run that is over, answers nothing. */
async function answer(
  world: ControlWorld,
  intake: PressedIntake,
  run: Run,
  { verb, digest, question: tag }: Exclude<Pressed, { verb: 'reconcile' }>,
): Promise<Problem | undefined> {
  const about = run.question?.digest.startsWith(digest) ? run.question : undefined;
  const question = about && questionTag({ run: run.id, q: about.q }) === tag ? about : undefined;
  if (question && (await openOf(world, run))) return answerAs(world, intake, run, question, verb);
  if (question && (await gaveIt(world, intake, run, question, verb))) return undefined;
  const anew = about && !question ? `The button belongs to an earlier question. Plan ${digest} is asked about anew.` : undefined;
  const became = anew ?? (await becameInRun(world, run, digest));
  return { code: 'QUESTION_UNKNOWN', message: became ?? `Run ${run.id.slice(0, 12)} asks about no plan ${digest}.`, hint: 'Look at the check as it is now.' };
}

/** Whether this person has given this answer before: pressed once more it has nothing left to do, and is no news. */
async function gaveIt(
  world: ControlWorld,
  { sender }: PressedIntake,
  run: Run,
  { digest, q }: NonNullable<Run['question']>,
  verdict: Decision['verdict'],
): Promise<boolean> {
  const mine = accountOf({ name: sender.login, through: 'github' });
  return (await readDecisions(world.table, { digest, run: run.id, q })).some((one) => accountOf(one.person) === mine && one.verdict === verdict);
}

/** As the comment that says it of each line: whoever may, lets a run of the same commit put back what was edited, and nothing else. */
async function reconcile(world: ControlWorld, intake: PressedIntake, run: Run): Promise<Problem | undefined> {
  const lines = run.phase === 'done' ? editedLines(await readAsked(world, run)) : [];
  const start = `${intake.id}#${run.scope}`;
  if (lines.length === 0)
    return { code: 'USAGE', message: 'No line of this run was refused because somebody edited what it holds.', hint: 'Re-run the check.' };
  try {
    for (const line of lines)
      await ruleLine(world, run, { verb: 'reconcile', line }, { name: intake.sender.login, through: 'github' }, start, intake.receivedAt);
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    return problem;
  }
  const { intent, repository, plan, environment, scope, commit, branch, pullRequest } = run;
  const fixed = { intent, repository, plan: { name: plan.name, path: plan.path }, environment, scope, commit, branch, triggeredBy: intake.sender.login };
  const options = { ...optionsOfSaid({ busy: 'wait' }, { verb: 'reconcile', line: '' }), reconcile: lines };
  await createRun(world, start, { ...fixed, options, retryOf: run.id, ...(pullRequest === undefined ? {} : { pullRequest }) });
  return undefined;
}
