import { type Decision, readDecisions } from '../approvals/decision.ts';
import { questionsWith, readQuestion } from '../approvals/question.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Run } from './items.ts';
import { latestRuns } from './latest-runs.ts';
import { readRun } from './run-store.ts';
import { becameInRun, whatBecame } from './what-became.ts';
import type { JobWorld } from './world.ts';

/** A plan that waits for somebody's answer, with the run that goes on when it comes. */
export interface OpenQuestion {
  readonly digest: string;
  readonly q: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly run: Run;
}

type Reads = Pick<JobWorld, 'table'>;

/** The shortest beginning of a digest that names a question. */
const shortest = 12;

/** The questions of a repository that wait for an answer. */
export async function openQuestions(store: Reads, repository: string): Promise<OpenQuestion[]> {
  return (await answerable(store, repository)).filter(({ run }) => run.phase === 'awaiting');
}

/**
 * The questions that take an answer, by what their digest begins with: read item by item, since the list may be behind. One whose run is on its way
 * through the guard does, until that lets it go: the answers are judged there, under the lease, and a rejection is heard (P7).
 */
async function answerable({ table }: Reads, repository: string, prefix = ''): Promise<OpenQuestion[]> {
  const listed = await questionsWith(table, repository, prefix);
  const found = await Promise.all(
    listed.map(async (item): Promise<OpenQuestion | undefined> => {
      const run = await readRun(table, item['run'] as string);
      const question = run && (await openOf({ table }, run));
      return question && question.digest === item['digest'] && question.q === item['q'] ? { ...question, run } : undefined;
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The question that a run asks now, while it takes answers. */
export async function openOf({ table }: Reads, { id, phase, question: asked }: Run): Promise<Pick<OpenQuestion, 'digest' | 'q' | 'expiresAt'> | undefined> {
  if (!asked || phase === 'done') return undefined;
  const { digest, q } = asked;
  const question = await readQuestion(table, digest, id, q);
  return question?.state === 'open' ? { digest, q, expiresAt: question.expiresAt } : undefined;
}

/** The beginning of a digest as it is typed, in lower case. @throws LockkeeperError USAGE for what is none. */
export function digestPrefix(wanted: string): string {
  const prefix = wanted.toLowerCase();
  if (/^[0-9a-f]{1,64}$/.test(prefix) && prefix.length >= shortest) return prefix;
  const message = `${JSON.stringify(wanted)} does not name a plan: give at least the first ${shortest} of the 64 hexadecimal digits of its digest.`;
  throw new LockkeeperError({ code: 'USAGE', message, hint: 'List open questions with `lockkeeper runs`.' });
}

/**
 * The one question whose digest begins so and that takes an answer.
 *
 * @throws LockkeeperError USAGE for what is no beginning of a digest, and when several begin so; QUESTION_UNKNOWN with what became of
 * it, or with what is open.
 */
export async function findQuestion(store: Reads, repository: string, wanted: string): Promise<OpenQuestion> {
  const prefix = digestPrefix(wanted);
  const found = await answerable(store, repository, prefix);
  const [question, another] = found;
  if (question && !another) return question;
  if (!question) throw await unknown(store, repository, prefix);
  const runs = found.map(({ run, digest }) => `${digest.slice(0, prefix.length + 4)} of run ${run.id.slice(0, 12)} (${run.environment}, ${run.scope})`);
  const message = `${found.length} open questions begin with ${prefix}: ${runs.join('; ')}.`;
  throw new LockkeeperError({ code: 'USAGE', message, hint: 'Give more of the digest.' });
}

/**
 * The question whose digest begins so, open or closed by a guard that has not let its run go: for whoever takes an answer back.
 *
 * @throws LockkeeperError USAGE, QUESTION_UNKNOWN with what became of it.
 */
export async function findAsked(store: Reads, repository: string, wanted: string): Promise<Pick<OpenQuestion, 'digest' | 'q' | 'run'>> {
  try {
    return await findQuestion(store, repository, wanted);
  } catch (error) {
    if (!(error instanceof LockkeeperError) || error.code !== 'QUESTION_UNKNOWN') throw error;
    const runs = await latestRuns(store, repository);
    const asked = runs.find(({ phase, question }) => phase !== 'done' && question?.digest.startsWith(wanted.toLowerCase()));
    if (!asked?.question) throw error;
    return { digest: asked.question.digest, q: asked.question.q, run: asked };
  }
}

/** The answer of a person to a question that is closed since: asked for again after a crash, it tells what came of it. */
export interface Answered {
  readonly digest: string;
  readonly q: number;
  readonly run: Run;
  readonly decision: Decision;
}

/**
 * What this person answered the last time that a plan was put to people: the same plan may be asked about by one run after another, and what
 * became of an older one says nothing about the newer. Among the latest runs of a repository; undefined where the person has not answered it.
 */
export async function answeredBefore(
  { table }: Reads,
  repository: string,
  wanted: string,
  { person }: Pick<Decision, 'person'>,
): Promise<Answered | undefined> {
  const prefix = wanted.toLowerCase();
  for (const run of await latestRuns({ table }, repository)) {
    const { digest, q } = run.question ?? { digest: '', q: 0 };
    if (!digest.startsWith(prefix)) {
      if ((await becameInRun({ table }, run, prefix)) !== undefined) return undefined;
      continue;
    }
    const decisions = await readDecisions(table, { digest, run: run.id, q });
    const decision = decisions.find((one) => one.person.name === person.name && one.person.through === person.through);
    return decision && { digest, q, run, decision };
  }
  return undefined;
}

async function unknown(store: Reads, repository: string, prefix: string): Promise<LockkeeperError> {
  const became = await whatBecame(store, repository, prefix);
  if (became) return new LockkeeperError({ code: 'QUESTION_UNKNOWN', ...became });
  const named = (await latestRuns(store, repository)).find(({ id }) => id.startsWith(prefix));
  if (named?.question) {
    const message = `${prefix.slice(0, shortest)} is a run and not a plan. What it asked about last is plan ${named.question.digest.slice(0, shortest)}.`;
    return new LockkeeperError({ code: 'QUESTION_UNKNOWN', message, hint: 'Name the plan, once you have looked at it.' });
  }
  const open = await openQuestions(store, repository);
  const names = open.map(({ digest, run }) => `${digest.slice(0, shortest)} (${run.environment}, ${run.scope})`).join(', ');
  const message = `No open question of this repository has a digest that begins with ${prefix}. ${names === '' ? 'None is open.' : `Open: ${names}.`}`;
  return new LockkeeperError({ code: 'QUESTION_UNKNOWN', message, ...(names === '' ? {} : { hint: 'Type one of those.' }) });
}
