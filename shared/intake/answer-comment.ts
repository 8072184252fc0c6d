import { isDeepStrictEqual } from 'node:util';
import { answerIn } from '../../events/answer-in.ts';
import type { IntakeOf } from '../../events/intake.ts';
import { questionsAbout } from '../approvals/question.ts';
import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import { whyIgnored } from '../run/decided.ts';
import { answeredBefore, findQuestion, type OpenQuestion } from '../run/questions.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderRefusedAnswer } from '../surfaces/refused-answer.ts';
import { utc } from '../surfaces/words.ts';
import { answerAs } from './answer-question.ts';
import { passes } from './passes.ts';
import { asWritten } from './written.ts';

type AnswerIntake = IntakeOf<'issue_comment'>;
type Answered = NonNullable<AnswerIntake['comment']['answered']>;

/**
 * `/lockkeeper approve <digest>`, `reject <digest>`: the answer to a question that is asked on this pull request, or about the commit it was
 * merged as. It is found by its digest as at a terminal. What does not stand is told its author in a comment, if they may push here or
 * decide: a stranger is not answered, and nothing of theirs is recorded.
 */
export async function answerComment(world: ControlWorld, intake: AnswerIntake, answered: Answered, repository: Repository): Promise<void> {
  const problem = await answer(world, intake, answered, repository);
  if (!problem) return;
  const { id, sender, comment } = intake;
  world.log.info('a comment answered for nothing', { intake: id, code: problem.code });
  const asked = `${answered.verdict} ${answered.digest}`;
  const { marker, body } = renderRefusedAnswer(id, { author: sender.login, asked, problem: maskProblem(world, problem), stack: world.stackName });
  await world.codeHost.surfaces?.upsertComment(repository, comment.pullRequest, marker, body);
}

async function answer(world: ControlWorld, intake: AnswerIntake, { verdict, digest }: Answered, repository: Repository): Promise<Problem | undefined> {
  const written = await asWritten(world, intake, repository, (body) => isDeepStrictEqual(answerIn(body), { verdict, digest }));
  if (!written) return undefined;
  const isKnown = mayPush.has(await world.codeHost.permission(repository, intake.sender.login));
  const found = await questionOf(world, intake, { verdict, digest }, repository);
  if (found === 'answered') return undefined;
  if ('code' in found) return isKnown ? found : ignored(world, intake);
  // Whoever decides need not be able to push: policy may list anybody.
  if (!isKnown && (await whyIgnored(world, found.run, decisionOf(intake, verdict)))) return ignored(world, intake);
  const at = Date.parse(written.at);
  const later = await askedLater(world, found, at);
  if (later) return later;
  // Given when it was written: GitHub may tell of it late, and after it was taken back.
  const receivedAt = new Date(Math.min(at, Date.parse(intake.receivedAt))).toISOString();
  return answerAs(world, { ...intake, receivedAt }, found.run, found, verdict);
}

const mayPush: ReadonlySet<string> = new Set(['write', 'maintain', 'admin']);

const personOf = ({ sender }: AnswerIntake) => ({ name: sender.login, through: 'github' }) as const;
const decisionOf = (intake: AnswerIntake, verdict: Answered['verdict']) => ({ verdict, person: personOf(intake), at: intake.receivedAt });

function ignored(world: ControlWorld, { id }: AnswerIntake): undefined {
  world.log.info('a comment answered a question: its author may neither push here nor decide', { intake: id });
}

/** The open question that is meant; `answered`: this person gave the same answer before, and the run has gone on. */
async function questionOf(
  world: ControlWorld,
  intake: AnswerIntake,
  { verdict, digest }: Answered,
  repository: Repository,
): Promise<OpenQuestion | Problem | 'answered'> {
  try {
    const question = await findQuestion(world, repository.id, digest);
    return (await askedElsewhere(world, intake, question, repository)) ?? question;
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    const before = problem.code === 'QUESTION_UNKNOWN' ? await answeredBefore(world, repository.id, digest, { person: personOf(intake) }) : undefined;
    return before?.decision.verdict === verdict ? 'answered' : problem;
  }
}

/**
 * A comment names a plan, and the same plan may be asked about again: after a cancelled run, or a rejection. It answers the question that stood when it
 * was written, however late the host tells of it. Its clock and ours may differ: where an earlier question was about the same plan it is refused in
 * doubt, and can be written once more.
 */
async function askedLater({ table, timing }: ControlWorld, { run, q, digest }: OpenQuestion, written: number): Promise<Problem | undefined> {
  const asked = await questionsAbout(table, digest);
  const askedAt = Date.parse(asked.find((one) => one.run === run.id && one.q === q)?.askedAt ?? '');
  const [second, isAnew] = [1000, asked.length > 1];
  // The host tells whole seconds.
  const from = isAnew ? askedAt + timing.skew : Math.floor(askedAt / second) * second;
  if (written >= from) return undefined;
  const [plan, short] = [digest.slice(0, 12), run.id.slice(0, 12)];
  const message = `Run ${short} asks about plan ${plan} since ${utc(new Date(askedAt).toISOString())}, and the comment was written before that.`;
  return { code: 'QUESTION_UNKNOWN', message, hint: 'Look at the plan as it is asked about now, and write the comment again.' };
}

/** A digest on another pull request than its own was copied from somewhere: whoever reads that conversation sees no plan beside it. */
async function askedElsewhere(
  world: ControlWorld,
  { comment }: AnswerIntake,
  { run, digest }: OpenQuestion,
  repository: Repository,
): Promise<Problem | undefined> {
  const at = run.pullRequest ?? (await world.codeHost.mergedPullRequest(repository, run.commit));
  if (at === comment.pullRequest) return undefined;
  const where = at === undefined ? `on commit ${run.commit.slice(0, 7)}, which no pull request brought` : `on pull request #${at}`;
  return { code: 'USAGE', message: `Plan ${digest.slice(0, 12)} is asked about ${where}, and not here.`, hint: 'Answer there, or by the check’s buttons.' };
}
