import { amongApproved } from '../approvals/effect.ts';
import { recordDeed } from '../ledger/deed.ts';
import type { Entry } from '../ledger/entry.ts';
import { useUp } from '../rulings/ruling.ts';
import type { LineResult } from '../run/items.ts';
import { compare } from '../secrets/fingerprint.ts';
import type { Applying } from './applying.ts';
import { deedEntry } from './deed-entry.ts';
import { effectOf, givenOutputs } from './effects.ts';
import type { ManualOp } from './op.ts';
import { type JudgedStep, judgeStep, pendingStep, todoOf } from './step.ts';

/** `moved`: nobody has approved what a person is to do now. */
export type StepOutcome = LineResult | 'moved';

/**
 * One manual step of an apply (R1.55): recorded when a person said that it is done or the provider shows it, else the line waits and
 * takes those that need it along. Nothing is ever sent.
 *
 *     judge ─▶ record ─▶ the person's word is used up: the entry holds it now
 *
 * A death before the last of the three leaves the word: the next attempt finds the step recorded and uses it up.
 */
export async function applyStep(job: Applying, manual: ManualOp): Promise<StepOutcome> {
  const judged = await judgeStep(job, manual);
  const { approved } = job.line.spec;
  if (judged.is === 'todo') {
    const effect = effectOf(job, judged.change, 'todo');
    if (approved && !amongApproved([effect], approved, givenOutputs(job))) return 'moved';
    return waitsForPerson(job, judged);
  }
  const { kind, notes } = judged.is === 'recorded' ? await keep(job, judged) : await record(job, judged, judged.is);
  const { key, label } = judged.change;
  return { status: kind === 'create' ? 'applied' : 'unchanged', changes: [{ key, label, kind, fields: [] }], outputs: {}, notes };
}

/** Nothing waits in a function: the run ends its round, and the confirmation starts the next. */
function waitsForPerson(job: Applying, judged: JudgedStep): LineResult {
  const todo = todoOf(job, judged);
  return {
    status: 'waiting',
    waitingFor: 'confirmation',
    changes: [],
    outputs: {},
    problem: pendingStep(job.line.spec.id, todo.manual),
    ...todo,
    ...unused(judged),
  };
}

/** A word about other instructions counts for nothing, and whoever gave it is told so. */
function unused({ confirmation }: JudgedStep): Pick<LineResult, 'notes'> {
  if (!confirmation) return {};
  return { notes: { unused: `${confirmation.by.name} confirmed at ${confirmation.at}, but other instructions than these` } };
}

interface Kept {
  readonly kind: 'create' | 'unchanged';
  readonly notes: Readonly<Record<string, string>>;
}

/** First time: who said so, and when. */
async function record(job: Applying, judged: JudgedStep, how: 'confirmed' | 'verified'): Promise<Kept> {
  const { world, scope, run } = job;
  const { confirmation } = judged;
  const told = how === 'confirmed' ? confirmation : undefined;
  const at = told?.at ?? new Date(world.clock.now()).toISOString();
  await save(job, judged, { how, at, ...(told ? { by: told.by.name } : {}) });
  if (told) await useUp(world, scope, run.id, told);
  return { kind: 'create', notes: { done: told ? `confirmed by ${told.by.name}` : 'seen to be done' } };
}

/** As recorded: nothing is written, unless what a destroy would ask for has changed, or who holds it. */
async function keep(job: Applying, judged: JudgedStep): Promise<Kept> {
  const { entry, from, step, shown } = judged;
  const manual = entry?.manual as NonNullable<Entry['manual']>;
  const same = entry?.fingerprint && compare(entry.fingerprint, shown) === 'same' && undoOf(job, step.undo) === manual.undo && !entry.orphan && !from;
  if (!same) await save(job, judged, manual);
  await useUpLeftWord(job, judged);
  return { kind: 'unchanged', notes: {} };
}

/** A word that the entry holds already: what a death left, or a second saying of the same. */
async function useUpLeftWord({ world, scope, run }: Applying, { confirmation }: JudgedStep): Promise<void> {
  if (confirmation) await useUp(world, scope, run.id, confirmation);
}

async function save(job: Applying, judged: JudgedStep, said: Pick<NonNullable<Entry['manual']>, 'how' | 'by' | 'at'>): Promise<void> {
  const { world, scope, tenure, run, guard } = job;
  const { step, identity, entry, from, shown, change } = judged;
  const undo = undoOf(job, step.undo);
  const manual = { title: step.title, how: said.how, at: said.at, ...(said.by === undefined ? {} : { by: said.by }), ...(undo === undefined ? {} : { undo }) };
  const deed = deedEntry(job, { identity, label: change.label, fingerprint: shown, before: entry, manual });
  guard.beforeWrite(world.timing.storeTimeout * (from ? 2 : 1));
  await recordDeed({ writer: world, scope, tenure, run: run.id }, job.ledger, deed, from);
}

const undoOf = ({ world }: Applying, undo: string | undefined): string | undefined => (undo === undefined ? undefined : world.redactor.mask(undo));
