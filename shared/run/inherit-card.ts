import { effectsDigest, findPlanDocument } from '../approvals/plan-document.ts';
import { absent, all, lacks, present } from '../table/condition.ts';
import { chatKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { questionOf, type Run } from './items.ts';
import { postedCard, readPosted, startPost } from './post-once.ts';
import { readRun } from './run-store.ts';
import { readShown } from './shown.ts';
import type { ControlWorld } from './world.ts';

/**
 * A newer commit that would do the very same takes over the card of the question whose place it takes: people keep the one card they know,
 * and are not asked twice at once. Before that question ends, so that its end is not shown there any more.
 *
 *     older: set { passedTo } ──▶ crash here: whoever comes back finds itself named, and goes on
 *     own:   put { ts }       ──▶ the run's own step edits it
 */
export async function inheritCard(world: ControlWorld, run: Run): Promise<void> {
  if (!world.chat || !run.slack || (await readPosted(world, run, postedCard))) return;
  const older = (await readShown(world, run)).card?.run;
  if (older === undefined || older === run.id) return;
  const [from, card] = [await readRun(world.table, older), await readPosted(world, { id: older }, postedCard)];
  // A step that stood still while a newer commit asked must not take that one's card: it would end there, and nobody could answer any more.
  if (!from || from.startedAt > run.startedAt) return;
  if (card?.ts === undefined || card.channel !== run.slack.channel || !(await sameEffects(world, run, from))) return;
  if (card.passedTo === undefined) await write(world, chatKey(older, postedCard), { set: { passedTo: run.id } }, all(present, lacks('passedTo')));
  else if (card.passedTo !== run.id) return;
  await write(world, chatKey(run.id, postedCard), { put: { ...startPost(world, run, card.channel), ts: card.ts } }, absent);
}

/** Whether both ask for the same effects, and nobody has let the older one go on. */
async function sameEffects(world: ControlWorld, run: Run, older: Run): Promise<boolean> {
  if (!older.question || older.honoured?.q === older.question.q || older.phase !== 'awaiting') return false;
  const [now, before] = await Promise.all([questionOf(run), older.question].map(({ digest }) => findPlanDocument(world.objects, digest)));
  if (!now?.document || !before?.document || now.document.kind !== before.document.kind) return false;
  return effectsDigest(now.document) === effectsDigest(before.document);
}
