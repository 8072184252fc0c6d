import { createHash } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { readLedger, readLedgerLine } from '../ledger/ledger-line.ts';
import { isUnused, type Ruling, readRuling } from '../rulings/ruling.ts';
import type { LineResult } from '../run/items.ts';
import type { DriftItem, ManualTodo } from '../run/report.ts';
import { readRunLine } from '../run/run-store.ts';
import type { World } from '../run/world.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting } from './inspecting.ts';
import type { ManualOp, ResourceChange, Step } from './op.ts';
import { confirmCommand } from './ways-on.ts';

/** What is known of a step now. */
export interface JudgedStep {
  readonly step: Step;
  readonly change: ResourceChange;
  readonly identity: Identity;
  readonly entry: Entry | undefined;
  /** The line that the plan no longer has and whose entry it is: this line is its new name. */
  readonly from?: LedgerLine;
  /** Of title and instructions, as they are rendered now. */
  readonly shown: Fingerprint;
  readonly observable: boolean;
  /** A person's word about this line, whatever it was about. */
  readonly confirmation?: Ruling;
  readonly is: 'recorded' | 'confirmed' | 'verified' | 'todo';
  readonly drift?: DriftItem;
}

/** A step and the removal of one are two things to confirm, whatever their words. */
export const fingerprintOfStep = (world: Pick<World, 'keys'>, action: 'do' | 'undo', title: string, text: string): Fingerprint =>
  fingerprint(
    world.keys.fingerprint,
    createHash('sha256')
      .update(JSON.stringify([action, title, text]), 'utf8')
      .digest('hex'),
  );

/**
 * Judges a step against ledger, confirmation and what the provider shows (R1.55). A person's word stands: it is not overruled by a look
 * that disagrees. What was only seen is looked at again every time. Instructions that have changed are a step nobody has done yet.
 */
export async function judgeStep(job: Inspecting, manual: ManualOp): Promise<JudgedStep> {
  const { world, op, call, params, scope, line } = job;
  const step = manual.step(params);
  refuseSecrets(world, step);
  const [change] = op.diff(params, { resources: [], outputs: {}, live: op.nothingLive }, call.context) as [ResourceChange];
  const identity: Identity = { adapter: op.adapter, account: call.identity, key: change.key };
  const found = await findDeed(job, identity);
  const shown = fingerprintOfStep(world, 'do', step.title, step.instructions);
  const confirmation = await readConfirmation(world, scope, job.run.id, line.spec.id);
  const known = { step, change, identity, ...found, shown, observable: manual.seen !== undefined, ...(confirmation ? { confirmation } : {}) };
  const recorded = isRecorded(world, found.entry, shown, confirmation) ? found.entry : undefined;
  if (recorded?.manual?.how === 'confirmed') return { ...known, is: 'recorded' };
  if (isAbout(confirmation, shown)) return { ...known, is: 'confirmed' };
  const seen = await manual.seen?.(params, call);
  const todo = { ...known, observable: seen !== undefined };
  // What was seen once and cannot be looked for any more stands.
  if (seen || (seen === undefined && recorded)) return { ...todo, is: recorded ? 'recorded' : 'verified' };
  return { ...todo, is: 'todo', ...(recorded ? { drift: missing(job, change) } : {}) };
}

/** Whether these very instructions were done and not undone since: a removal that was given up after somebody had undone the step leaves that word. */
function isRecorded(world: Pick<World, 'keys'>, entry: Entry | undefined, shown: Fingerprint, confirmation: Ruling | undefined): boolean {
  if (!entry?.fingerprint || compare(entry.fingerprint, shown) === 'different') return false;
  const { title = '', undo } = entry.manual ?? {};
  return undo === undefined || !isAbout(confirmation, fingerprintOfStep(world, 'undo', title, undo));
}

/** A person's word about a step that nothing has used up: another run's recorded it, or forgot the step with it. */
export async function readConfirmation({ table }: Pick<World, 'table'>, scope: string, run: string, line: string): Promise<Ruling | undefined> {
  const word = await readRuling(table, scope, 'confirm', line);
  return word && isUnused(word, run) ? word : undefined;
}

/** Whether a word is about exactly this text: one about other instructions counts for nothing. */
export const isAbout = (word: Ruling | undefined, shown: Fingerprint): boolean => word?.shown !== undefined && compare(word.shown, shown) === 'same';

/** What a secret may not come near: instructions are shown to everybody who can read the pull request. */
function refuseSecrets({ redactor }: Pick<World, 'redactor'>, { title, instructions, undo = '' }: Step): void {
  if (![title, instructions, undo].some((text) => redactor.contains(text))) return;
  throw new LockkeeperError({
    code: 'PARAM_INVALID',
    message: 'Title, instructions or `undo` of a manual step carry a secret value: people are shown all of them.',
  });
}

/**
 * The entry of what was done once: in this line, or in one that the plan no longer has, whose new name this line is (P4). Nothing at a
 * provider stands behind it, so no claim is asked. One that a death left in both is taken out of the other now.
 */
export async function findDeed({ world, run, scope, ledger }: Inspecting, identity: Identity): Promise<{ entry: Entry | undefined; from?: LedgerLine }> {
  const wanted = identityHash(identity);
  const entryOf = (line: LedgerLine | undefined) => line?.entries.find((entry) => identityHash(entry) === wanted);
  const isLeft = async (from: LedgerLine) => entryOf(from) !== undefined && (await readRunLine(world.table, run.id, from.line))?.round !== run.round;
  const own = entryOf(ledger);
  if (own) {
    const from = own.takenFrom === undefined ? undefined : await readLedgerLine(world.table, scope, own.takenFrom);
    return from && (await isLeft(from)) ? { entry: own, from } : { entry: own };
  }
  for (const from of await readLedger(world.table, scope)) if (await isLeft(from)) return { entry: entryOf(from), from };
  return { entry: undefined };
}

function missing({ op, line }: Inspecting, { key, label }: ResourceChange): DriftItem {
  const message = `${label} was seen to be done, and is not any more; a person has to do it again.`;
  return { kind: 'missing', adapter: op.adapter, op: op.name, line: line.spec.id, resource: { key, label }, message };
}

/** What is stored and shown of a step that nobody has done. */
export function todoOf(
  { run, line }: Pick<Inspecting, 'run' | 'line'>,
  { step, shown, observable, drift }: JudgedStep,
): Required<Pick<LineResult, 'manual'>> & Pick<LineResult, 'drift'> {
  const { title, instructions } = step;
  const manual = { title, action: 'do' as const, instructions, observable, confirm: confirmCommand(line.spec.id, run), shown };
  return { manual, ...(drift ? { drift: [drift] } : {}) };
}

/** Why a line, or its removal, does not go on. */
export const pendingStep = (line: string, { title, action, confirm = `lockkeeper confirm ${line}` }: ManualTodo) => ({
  code: 'MANUAL_STEP_PENDING' as const,
  message:
    action === 'undo'
      ? `Somebody has to undo "${title}" before line ${line} is forgotten.`
      : `Somebody has to do "${title}" before line ${line} counts as done.`,
  hint: `Do what the instructions say, then type \`${confirm}\`; the run goes on by itself.`,
});
