import { findPlanDocument, type PlanDocument } from '../approvals/plan-document.ts';
import { type Question, questionsAbout, questionsWith } from '../approvals/question.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readStops } from '../guard/stale.ts';
import { latestRuns } from './latest-runs.ts';
import { digestPrefix } from './questions.ts';
import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/** A stored plan, whoever it was put to, and what they were shown of it. */
export interface AskedPlan {
  readonly digest: string;
  readonly document: PlanDocument;
  /** Oldest first. */
  readonly questions: readonly Question[];
  /** What was shown with its newest question, masked. Absent where that is older than 90 days, or was asked by an earlier version. */
  readonly shown?: RunReport;
}

type Reads = Pick<ControlWorld, 'table' | 'objects'>;

/**
 * The one plan of a repository whose digest begins so: among its open questions and what its latest runs have asked, or any of it by its
 * whole digest. It is hashed again before anything of it is believed.
 *
 * @throws LockkeeperError USAGE for what is no beginning of a digest, and when several begin so; NOT_FOUND; PLAN_CORRUPT; RECEIPT_VERSION.
 */
export async function findPlan(reads: Reads, repository: string, wanted: string): Promise<AskedPlan> {
  const prefix = digestPrefix(wanted);
  const [digest, another, ...more] = await digestsWith(reads, repository, prefix);
  if (digest === undefined) throw notFound(prefix);
  if (another !== undefined) {
    const all = [digest, another, ...more];
    const message = `${all.length} plans begin with ${prefix}: ${all.map((one) => one.slice(0, prefix.length + 4)).join(', ')}.`;
    throw new LockkeeperError({ code: 'USAGE', message, hint: 'Give more of the digest.' });
  }
  const found = await findPlanDocument(reads.objects, digest);
  const questions = await questionsAbout(reads.table, digest);
  if (!found.document) throw prefix.length === 64 && questions.length === 0 ? notFound(prefix) : new LockkeeperError(found.problem);
  if (found.document.repository !== repository) throw notFound(prefix);
  const shown = await shownWith(reads, questions.at(-1));
  return { digest, document: found.document, questions, ...(shown ? { shown } : {}) };
}

const notFound = (prefix: string): LockkeeperError =>
  new LockkeeperError({
    code: 'NOT_FOUND',
    message: `No plan of this repository that was asked about has a digest that begins with ${prefix}.`,
    hint: 'Each run in `lockkeeper runs` stands with the plan that it asked about last; `lockkeeper log <run>` names all of them.',
  });

async function digestsWith(reads: Reads, repository: string, prefix: string): Promise<string[]> {
  if (prefix.length === 64) return [prefix];
  const open = (await questionsWith(reads.table, repository, prefix)).map((item) => String(item['digest']));
  const runs = await latestRuns(reads, repository);
  const asked = await Promise.all(
    runs.map(async ({ id, round, question }) => {
      const stops = round > 1 ? await readStops(reads, id) : [];
      return [question?.digest, ...stops.flatMap(({ approved, replanned }) => [approved, replanned])];
    }),
  );
  return [...new Set([...open, ...asked.flat()].filter((digest) => digest?.startsWith(prefix)))] as string[];
}

async function shownWith({ objects }: Reads, question: Question | undefined): Promise<RunReport | undefined> {
  const stored = question?.report === undefined ? undefined : await objects.get(question.report);
  return stored && (JSON.parse(stored.body) as RunReport);
}
