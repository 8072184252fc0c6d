import { readDecisions } from '../approvals/decision.ts';
import { readQuestion } from '../approvals/question.ts';
import { readStops } from '../guard/stale.ts';
import type { Chat, ChatPlace } from '../ports/chat.ts';
import { movedReply, reminder } from '../surfaces/slack/sentences.ts';
import { questionOf, type Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import { blockIdOf, postOnce, readPosted } from './post-once.ts';
import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/** Tells those who decided on the plan before it in one sentence what moved. */
export async function tellWhatMoved(world: ControlWorld, chat: Chat, run: Run, place: ChatPlace, report: RunReport): Promise<void> {
  const { q, digest } = questionOf(run);
  const stop = (await readStops(world, run.id)).findLast(({ replanned }) => replanned === digest);
  const purpose = `moved-${q}`;
  if (q === 1 || !stop || (await readPosted(world, run, purpose))?.ts !== undefined) return;
  const reply = movedReply(blockIdOf(run, purpose), stop, report, await peopleBefore(world, run, stop.approved, q - 1));
  await postOnce(world, chat, run, purpose, place.channel, reply, place.ts);
}

/** Whoever decided on the question before this one, by the Slack id that policy knows them by, else by their login. */
async function peopleBefore(world: ControlWorld, run: Run, digest: string, q: number): Promise<string[]> {
  const decisions = await readDecisions(world.table, { digest, run: run.id, q });
  if (decisions.length === 0) return [];
  const policy = await loadPolicy(world, run.repository);
  const known = Object.values(policy.environments).flatMap(({ approvers = [] }) => approvers);
  const idOf = (login: string) => known.find(({ github, slack }) => slack !== undefined && github.toLowerCase() === login.toLowerCase())?.slack;
  return [...new Set(decisions.map(({ person }) => (person.through === 'slack' ? person.principal : undefined) ?? idOf(person.name) ?? person.name))];
}

/** Parts of a question's time after which it is said again, each once. What is past both is said once. */
const reminders = [
  { part: 0.9, purpose: 'late' },
  { part: 0.5, purpose: 'half' },
] as const;

/** Says once more that a question is open, when half of its time and nine tenths of it are over. */
export async function remind(world: ControlWorld, chat: Chat, run: Run, place: ChatPlace): Promise<void> {
  const { q, digest, expiresAt } = questionOf(run);
  // Approved, and kept waiting by a freeze: there is nobody to remind.
  if (run.frozen?.q === q && (run.approvals?.by.length ?? 0) >= (run.required ?? 1)) return;
  const question = await readQuestion(world.table, digest, run.id, q);
  if (!question) return;
  const askedAt = Date.parse(question.askedAt);
  const passed = (world.clock.now() - askedAt) / (expiresAt - askedAt);
  const due = reminders.find(({ part }) => passed >= part);
  if (!due) return;
  const purpose = `${due.purpose}-${q}`;
  await postOnce(world, chat, run, purpose, place.channel, reminder(blockIdOf(run, purpose), expiresAt, run.slack?.mention), place.ts);
}
