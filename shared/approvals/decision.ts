import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Table } from '../ports/table.ts';
import { absent, all, any, below, equal, has, lacks, present } from '../table/condition.ts';
import { decisionKey, decisionPrefix, planPartition } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import type { Question } from './question.ts';

/**
 * Format 2 added the surfaces after `aws`: older code, which would leave such a rejection out, stops at it instead. Format 3 is an answer that
 * was taken back: older code would count it.
 */
const format = 3;
const formatOf = ({ through }: Person): number => (through === 'machine' || through === 'aws' ? 1 : 2);

const person = z.object({
  /** GitHub login, or the user of the machine. */
  name: z.string().min(1),
  /**
   * `machine`: the person at the terminal of an embedded stack, whom nobody verified. `aws`: a principal that policy maps to a GitHub user.
   * `github`: whoever pressed a button of a check or wrote a comment, as a signed webhook told. `slack`: a Slack user whom policy maps. `tick`: whoever
   * ticked a box of the dashboard, as the host's own history of that issue tells.
   */
  through: z.enum(['machine', 'aws', 'github', 'slack', 'tick']),
  /** The AWS principal, for `aws`, as `sts:GetCallerIdentity` names it; the Slack member's id, for `slack`. */
  principal: z.string().min(1).optional(),
});

const verdicts = ['approve', 'reject'] as const;

const decision = z.object({
  verdict: z.enum(verdicts),
  person,
  at: z.iso.datetime(),
  /** Why it does not count, as it was last judged. Written by the controller, for whoever waits for the answer. */
  ignored: z.string().optional(),
  /** Taken back by the same person before anything came of it: it counts for nothing. */
  withdrawn: z.iso.datetime().optional(),
  /** The recorded message that brought it, where one did: a message comes more than once. */
  told: z.string().optional(),
});

/** Who decided, as far as it is known. */
export type Person = z.infer<typeof person>;

/** One person's answer to one question. Bound to the digest that was seen, the run, and the number of its question (P7). */
export type Decision = z.infer<typeof decision>;

type Asked = Pick<Question, 'digest' | 'run' | 'q'>;

/** One person is one whatever they answer through: everybody but whoever sits at a machine is known by their GitHub login. */
export const accountOf = ({ name, through }: Person): string => (through === 'machine' ? `machine:${name}` : `github:${name.toLowerCase()}`);

const itemsOf = (table: Table, question: Asked) => table.query(planPartition(question.digest), decisionPrefix(question.run, question.q));

const keyOf = (question: Asked, by: Person) => decisionKey(question.digest, question.run, question.q, accountOf(by));

/**
 * Writes a decision, before anything is completed, so that an early click or a crash loses nothing. A person answers a question once;
 * an approval alone can be taken back, until the guard has honoured it (P7), or given once more through another surface: the one it came
 * through may not count any more. An answer that was found to count for nothing stands in nobody's place: whoever may write decisions could put a
 * rejection under any name. What was taken back is not said once more by a message of before, which comes twice or late.
 *
 * @returns the answer of theirs that stands; one that was taken back says so.
 */
export async function decide(writer: Writer, question: Asked, made: Decision): Promise<Decision> {
  const key = keyOf(question, made.person);
  const first = await write(writer, key, { put: { ...made, format: formatOf(made.person) } }, absent);
  if (first.won) return made;
  const found = first.found as unknown as Decision;
  if (found.withdrawn !== undefined) {
    if (isFromBefore(made, found)) return found;
    const anew = await write(writer, key, { put: { ...made, format: formatOf(made.person) } }, all(present, equal('withdrawn', found.withdrawn)));
    return anew.won ? made : decide(writer, question, made);
  }
  if (made.verdict === found.verdict && isSameVoice(made.person, found.person)) return found;
  const set = { verdict: made.verdict, at: made.at, person: made.person, format: formatOf(made.person) };
  const gives = all(present, any(equal('verdict', 'approve'), has('ignored')), lacks('honoured'), lacks('withdrawn'));
  const changed = await write(writer, key, { set, remove: ['ignored'] }, gives);
  return changed.won ? made : (changed.found as unknown as Decision);
}

/** Whether an answer came by the same way: what somebody gave under a principal that is nobody's must not stand in the way of the person's own. */
export const isSameVoice = (one: Person, other: Person): boolean => one.through === other.through && one.principal === other.principal;

/** Whether what was taken back is what is told now: by the same message, or by one that was given before. */
const isFromBefore = ({ told, at }: Decision, found: Decision): boolean =>
  told !== undefined && found.withdrawn !== undefined && (told === found.told || at < found.withdrawn);

/**
 * Every decision on a question, strongly. What is no decision is left out: whatever else somebody wrote there, it approves nothing.
 *
 * @throws LockkeeperError RECEIPT_VERSION for one of a newer format: it may be a rejection.
 */
export async function readDecisions(table: Table, question: Asked): Promise<Decision[]> {
  const items = await itemsOf(table, question);
  const newer = items.find((item) => Number(item['format']) > format);
  if (newer)
    throw new LockkeeperError({ code: 'RECEIPT_VERSION', message: `A decision has format ${String(newer['format'])}; this version reads format ${format}.` });
  const decisions = items.flatMap((item) => decision.safeParse(item).data ?? []);
  return decisions.filter(({ withdrawn }) => withdrawn === undefined);
}

/** The answers that a person's word was about, which is told late: those that were given before these moments (ISO 8601). */
export type GivenBefore = Readonly<Record<Decision['verdict'], string>>;

/**
 * Takes a person's own answer back, while nothing has come of it: the question stays open, for them too. Asked for again it says the same.
 *
 *     withdraw ──▶ before the answer is honoured: whoever judges next finds none, and one who has just judged cannot honour it
 *     honour   ──▶ first: it cannot be taken back any more
 *
 * @param given absent: whatever they have answered. @returns `none` where they have not answered, `later` where they have since; `honoured` where it is
 * too late.
 */
export async function withdraw(
  writer: Writer,
  question: Asked,
  by: Person,
  at: string,
  given?: GivenBefore,
): Promise<'withdrawn' | 'honoured' | 'none' | 'later'> {
  const free = all(present, lacks('honoured'), lacks('withdrawn'));
  const meant = given ? all(free, any(...verdicts.map((verdict) => all(equal('verdict', verdict), below('at', given[verdict]))))) : free;
  const taken = await write(writer, keyOf(question, by), { set: { withdrawn: at, format } }, meant);
  if (taken.won || taken.found?.['withdrawn'] !== undefined) return 'withdrawn';
  if (taken.found === undefined) return 'none';
  return taken.found['honoured'] === undefined ? 'later' : 'honoured';
}

/**
 * Makes sure of the answers that were just judged, before anything comes of them: from here on nobody takes them back. False: one of them was
 * withdrawn or changed meanwhile, and all are to be judged again. Repeated it says the same.
 *
 * @param attempt of the step that judged them.
 */
export async function makeSureOf(writer: Writer, question: Asked, judged: readonly Decision[], attempt: number): Promise<boolean> {
  for (const one of judged) {
    const stands = all(present, equal('verdict', one.verdict), lacks('withdrawn'));
    if (!(await write(writer, keyOf(question, one.person), { set: { honoured: attempt } }, stands)).won) return false;
  }
  return true;
}

/**
 * Nothing came of the answers that earlier steps made sure of: whoever gave them may take them back again. What a later step than this one is
 * sure of stays so.
 *
 * @param attempt of the step that found the question still open.
 */
export async function freeAnswers(writer: Writer, question: Asked, attempt: number): Promise<void> {
  const items = await itemsOf(writer.table, question);
  for (const { pk, sk, honoured } of items) {
    if (honoured !== undefined) await write(writer, { pk, sk }, { set: {}, remove: ['honoured'] }, all(present, below('honoured', attempt)));
  }
}

/** Writes beside a decision why it does not count; one that was changed since is another. Returns whether that is news. */
export async function noteIgnored(writer: Writer, question: Asked, made: Decision, why: string): Promise<boolean> {
  if (made.ignored === why) return false;
  return (await write(writer, keyOf(question, made.person), { set: { ignored: why } }, all(present, equal('verdict', made.verdict), equal('at', made.at)))).won;
}
