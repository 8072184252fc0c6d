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

/**
 * What of a line's edits can be made the plan: what a plan of it shows in clear on both sides.
 *
 * @throws LockkeeperError NOTHING_TO_ABSORB; CANNOT_ABSORB for what is gone, secret, or made of something else than the file's own text.
 */
export function absorbable(line: string, found: Pick<LineReport, 'adapter' | 'op' | 'changes'>, drift: readonly DriftItem[]): Absorbed[] {
  const drifted = drift.filter((item) => item.line === line && (item.kind === 'changed' || item.kind === 'missing'));
  const gone = drifted.find(({ kind }) => kind === 'missing');
  if (gone) throw cannot(line, `${nameOf(gone)} is gone`, `Take it out of the plan file, or put it back: \`lockkeeper apply\` makes it anew.`);
  const edited = drifted.flatMap(({ resource }) => found.changes.filter(({ key }) => key === resource.key));
  if (edited.length === 0) throw new LockkeeperError({ code: 'NOTHING_TO_ABSORB', message: `Nothing of line ${line} was edited outside.` });
  return edited.flatMap(({ label, fields }) =>
    fields.map(({ path, before, after }): Absorbed => {
      const where = `${path} of ${label}`;
      if (after.state === 'absent') throw cannot(line, `the plan says nothing of ${where}`, byHand(where));
      if (after.state !== 'literal') throw cannot(line, `${where} is not written in the plan file: it comes from ${sourceOf(after)}`, atItsSource);
      if (before.state !== 'literal') throw cannot(line, `what ${where} holds now may not be shown`, letItBeSeen(found, path));
      return { label, path, from: after.value, to: before.value };
    }),
  );
}

const nameOf = ({ resource }: DriftItem): string => resource.label ?? resource.key;

const sourceOf = (side: { readonly state: string; readonly ref?: string }): string => side.ref ?? `something ${side.state}`;

const atItsSource = 'Change it where it comes from, or put the plan back with `lockkeeper reconcile <line>`.';
const byHand = (where: string): string => `Write ${where} into the plan file by hand, or put the plan back with \`lockkeeper reconcile <line>\`.`;

/** What has the name of a secret, or is known as one, is shown nowhere, listed or not. */
const letItBeSeen = ({ adapter, op }: Pick<LineReport, 'adapter' | 'op'>, path: string): string =>
  `If people may see it, list \`${adapter}.${op}#${path}\` under \`drift.show\` of the environment in lockkeeper.yaml; or put the plan back with \`lockkeeper reconcile <line>\`.`;

/** What is not done, and what to do in its place. */
export const cannot = (line: string, why: string, hint: string): LockkeeperError =>
  new LockkeeperError({ code: 'CANNOT_ABSORB', message: `Line ${line} stays as it is: ${why}.`, hint: hint.replaceAll('<line>', line) });
