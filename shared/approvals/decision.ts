import type { Table } from '../ports/table.ts';
import { absent } from '../table/condition.ts';
import { decisionKey, decisionPrefix, planPartition } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import type { Question } from './question.ts';

/** Who decided, as far as it is known. */
export interface Person {
  /** GitHub login, or the user of the machine. */
  readonly name: string;
  /** `machine`: the person at the terminal of an embedded stack, whom nobody verified. `aws`: a principal that policy maps to a GitHub user. */
  readonly through: 'machine' | 'aws';
  /** The AWS principal, for `aws`. */
  readonly principal?: string;
}

/** One person's answer to one question. Bound to the digest that was seen, the run, and the number of its question (P7). */
export interface Decision {
  readonly verdict: 'approve' | 'reject';
  readonly person: Person;
  readonly at: string;
}

/**
 * Writes a decision. A person answers a question once: the answer that stands is returned, theirs or an earlier one of theirs.
 * It is written before anything is completed, so that an early click or a crash loses nothing.
 */
export async function decide(writer: Writer, question: Pick<Question, 'digest' | 'run' | 'q'>, decision: Decision): Promise<Decision> {
  const key = decisionKey(question.digest, question.run, question.q, `${decision.person.through}:${decision.person.name}`);
  const result = await write(writer, key, { put: { ...decision, format: 1 } }, absent);
  return result.won ? decision : (result.found as unknown as Decision);
}

/** Every decision on a question, strongly. */
export async function readDecisions(table: Table, question: Pick<Question, 'digest' | 'run' | 'q'>): Promise<Decision[]> {
  const items = await table.query(planPartition(question.digest), decisionPrefix(question.run, question.q));
  return items as unknown as Decision[];
}
