import { createHash } from 'node:crypto';
import type { Item, Table } from '../ports/table.ts';
import { absent, all, any, below, equal, lacks, present } from '../table/condition.ts';
import { planPartition, questionKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/** One plan digest put to people, for one run. `q` numbers a run's questions: a decision belongs to exactly one of them. */
export interface Question {
  readonly run: string;
  readonly q: number;
  readonly digest: string;
  readonly state: 'open' | 'closed';
  readonly askedAt: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** The state machine's task token, and when its state was entered (ISO 8601). Never in a message to people. */
  readonly token?: string;
  readonly entered?: string;
  /** Object that holds what was shown to people with it: the plan's changes, masked. Absent in what earlier versions asked. */
  readonly report?: string;
}

/** A question's own name, short enough for a button of a check: of the same plan asked about anew it is another one. */
export const questionTag = ({ run, q }: Pick<Question, 'run' | 'q'>): string => createHash('sha256').update(`${run}#${q}`).digest('base64url').slice(0, 6);

export interface Asked {
  readonly repository: string;
  readonly environment: string;
  readonly scope: string;
}

/** Writes a question, create-only, after its digest stands in the run item (P2). It lies in the repository's list, by digest. */
export async function openQuestion(writer: Writer, question: Omit<Question, 'state'>, asked: Asked): Promise<void> {
  const listed = { repo: asked.repository, order: orderOf(question) };
  const put = { ...question, ...listed, format: 1, state: 'open', environment: asked.environment, scope: asked.scope };
  await write(writer, questionKey(question.digest, question.run, question.q), { put }, absent);
}

export async function readQuestion(table: Table, digest: string, run: string, q: number): Promise<Question | undefined> {
  const item = await table.get(questionKey(digest, run, q));
  return item as Question | undefined;
}

/** Every question that put this plan to people, oldest first. The newest answers what it looked like. */
export async function questionsAbout(table: Table, digest: string): Promise<Question[]> {
  const items = (await table.query(planPartition(digest), 'QUESTION#')) as unknown as Question[];
  return [...items].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}

/**
 * Stores a task token, only over one whose state was entered earlier: retries mint new tokens, and messages overtake each other
 * (P7). Returns the question as it stands afterwards.
 */
export async function storeToken(writer: Writer, question: Question, token: string, entered: string): Promise<Question | undefined> {
  const key = questionKey(question.digest, question.run, question.q);
  const older = any(lacks('entered'), below('entered', entered));
  await write(writer, key, { set: { token, entered } }, all(present, older));
  return readQuestion(writer.table, question.digest, question.run, question.q);
}

/** A question is consumed when its run starts applying or ends: an approval of it approves nothing later. */
export async function closeQuestion(writer: Writer, question: Pick<Question, 'digest' | 'run' | 'q'>): Promise<void> {
  await write(
    writer,
    questionKey(question.digest, question.run, question.q),
    { set: { state: 'closed' }, remove: ['repo', 'order'] },
    all(present, equal('state', 'open')),
  );
}

/** A question that was closed for a run that did not go on after all: its list has it again. */
export async function reopenQuestion(
  writer: Writer,
  question: Pick<Question, 'digest' | 'run' | 'q'>,
  { repository }: Pick<Asked, 'repository'>,
): Promise<void> {
  const listed = { repo: repository, order: orderOf(question) };
  await write(writer, questionKey(question.digest, question.run, question.q), { set: { state: 'open', ...listed } }, all(present, equal('state', 'closed')));
}

const orderOf = ({ digest, run, q }: Pick<Question, 'digest' | 'run' | 'q'>): string => `question#${digest}#${run}#${q}`;

/** Open questions of a repository whose digest starts so; whatever is decided reads the item itself. */
export async function questionsWith(table: Table, repository: string, digestPrefix: string): Promise<Item[]> {
  return table.list({ index: 'repo', partition: repository, prefix: `question#${digestPrefix}` });
}
