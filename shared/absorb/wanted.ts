import { LockkeeperError } from '../errors/error.ts';
import type { Scalar } from '../plan/types.ts';
import type { DriftItem, LineReport } from '../run/report.ts';

/** One attribute that somebody edited outside, and that is to be what the plan says from now on. */
export interface Absorbed {
  /** Of the resource. */
  readonly label: string;
  readonly path: string;
  /** What the plan file says, and what is live. */
  readonly from: Scalar;
  readonly to: Scalar;
}

/** An edit that stays as it is, why, and what to do in its place. */
export interface NotAbsorbed {
  readonly label: string;
  readonly path?: string;
  readonly why: string;
  readonly hint: string;
}

/** What of a line's edits becomes the plan, and what does not. */
export interface Absorbable {
  readonly absorbed: readonly Absorbed[];
  readonly left: readonly NotAbsorbed[];
}

/**
 * What of a line's edits can be made the plan: what a plan of it shows in clear on both sides, and what the plan has not changed meanwhile, since
 * that change would be given up.
 *
 * @throws LockkeeperError NOTHING_TO_ABSORB; CANNOT_ABSORB where nothing of it can.
 */
export function absorbable(line: string, found: Pick<LineReport, 'adapter' | 'op' | 'changes' | 'problem'>, drift: readonly DriftItem[]): Absorbable {
  const drifted = drift.filter((item) => item.line === line && (item.kind === 'changed' || item.kind === 'missing'));
  const gone = drifted.filter(({ kind }) => kind === 'missing').map((item): NotAbsorbed => goneLeft(item));
  const edited = drifted.filter(({ kind }) => kind === 'changed').flatMap(({ resource }) => found.changes.filter(({ key }) => key === resource.key));
  if (edited.length + gone.length === 0) throw new LockkeeperError({ code: 'NOTHING_TO_ABSORB', message: `Nothing of line ${line} was edited outside.` });
  const both = changedInPlan(found);
  const judged = edited.flatMap((change) => change.fields.map((field) => judge(found, change, field, both.has(change.key))));
  const absorbed = judged.filter((one) => 'from' in one);
  const left = [...gone, ...judged.filter((one) => 'why' in one)].map((one) => ({ ...one, hint: one.hint.replaceAll('<line>', line) }));
  const [first, ...others] = left;
  if (absorbed.length > 0 || !first) return { absorbed, left };
  throw cannot(line, [first, ...others].map(({ why }) => why).join('; '), first.hint);
}

const goneLeft = (item: DriftItem): NotAbsorbed => ({
  label: nameOf(item),
  why: `${nameOf(item)} is gone`,
  hint: 'Take it out of the plan file, or put it back: `lockkeeper apply` makes it anew.',
});

/** Keys of the resources of which the plan wants something else than was written last. */
function changedInPlan({ problem }: Pick<LineReport, 'problem'>): ReadonlySet<string> {
  const edits = [problem?.details, ...((problem?.details?.['edits'] as readonly Readonly<Record<string, unknown>>[] | undefined) ?? [])];
  return new Set(edits.flatMap((edit) => (edit?.['wantsOther'] === true ? [String(edit['key'])] : [])));
}

type Change = LineReport['changes'][number];

function judge(found: Pick<LineReport, 'adapter' | 'op'>, { label }: Change, field: Change['fields'][number], isBoth: boolean): Absorbed | NotAbsorbed {
  const { path, before, after } = field;
  const where = `${path} of ${label}`;
  const left = (why: string, hint: string): NotAbsorbed => ({ label, path, why, hint });
  if (after.state === 'absent') return left(`the plan says nothing of ${where}`, byHand(where));
  if (after.state !== 'literal') return left(`${where} is not written in the plan file: it comes from ${sourceOf(after)}`, atItsSource);
  if (before.state !== 'literal') return left(`what ${where} holds now may not be shown`, letItBeSeen(found, path));
  if (isBoth) return left(`the plan has changed ${where} to ${JSON.stringify(after.value)}, which was never applied and would be given up`, giveUp(where));
  return { label, path, from: after.value, to: before.value };
}

const nameOf = ({ resource }: DriftItem): string => resource.label ?? resource.key;

const sourceOf = (side: { readonly state: string; readonly ref?: string }): string => side.ref ?? `something ${side.state}`;

const atItsSource = 'Change it where it comes from, or put the plan back with `lockkeeper reconcile <line>`.';
const giveUp = (where: string): string =>
  `Undo the change of ${where} in the plan file first, and absorb then; or apply it over the edit with \`lockkeeper reconcile <line>\`.`;
const byHand = (where: string): string => `Write ${where} into the plan file by hand, or put the plan back with \`lockkeeper reconcile <line>\`.`;

/** What has the name of a secret, or is known as one, is shown nowhere, listed or not. */
const letItBeSeen = ({ adapter, op }: Pick<LineReport, 'adapter' | 'op'>, path: string): string =>
  `If people may see it, list \`${adapter}.${op}#${path}\` under \`drift.show\` of the environment in lockkeeper.yaml; or put the plan back with \`lockkeeper reconcile <line>\`.`;

/** What is not done, and what to do in its place. */
export const cannot = (line: string, why: string, hint: string): LockkeeperError =>
  new LockkeeperError({ code: 'CANNOT_ABSORB', message: `Line ${line} stays as it is: ${why}.`, hint: hint.replaceAll('<line>', line) });
