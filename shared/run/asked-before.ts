import type { ShownField } from '../engine/op.ts';
import type { Run } from './items.ts';
import { olderAsking } from './open-runs.ts';
import type { LineReport, MovedLiteral, ReportedQuestion, RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/** As many literals as are told apart: people read the plan itself. */
const mostTold = 20;

/**
 * Which values that the plan file holds in clear are others than in the question before: this run's own, where the world moved and it asks
 * anew, or that of the older run whose place it takes. Whoever has that one in mind sees both values. Of anything else, and where nothing was
 * asked before, nothing is said: fingerprints tell that a value moved, and not what it is.
 */
export async function sinceAskedBefore(world: ControlWorld, run: Run, lines: readonly LineReport[]): Promise<ReportedQuestion['earlier']> {
  const earlier = await askedBefore(world, run);
  const digest = earlier?.question?.digest;
  if (!earlier || digest === undefined) return undefined;
  const literals = movedLiterals(earlier.lines, lines);
  return literals.length > 0 ? { digest, literals: literals.slice(0, mostTold) } : undefined;
}

async function askedBefore(world: ControlWorld, run: Run): Promise<RunReport | undefined> {
  const own = run.question === undefined ? undefined : await askedIn(world, run);
  if (own) return own;
  const older = await olderAsking(world, run);
  return older && askedIn(world, older);
}

/** What a run has put to people last; undefined where its newest report is another one. */
async function askedIn({ objects }: ControlWorld, { report, question }: Run): Promise<RunReport | undefined> {
  const stored = report === undefined ? undefined : await objects.get(report);
  const found = stored && (JSON.parse(stored.body) as RunReport);
  return found?.status === 'awaiting' && found.question?.digest === question?.digest ? found : undefined;
}

/** Every attribute of which both plans say what it is to be, and at least one of them in clear, otherwise than the other. */
export function movedLiterals(earlier: readonly LineReport[], now: readonly LineReport[]): MovedLiteral[] {
  const fields = new Map(earlier.flatMap(({ id, changes }) => changes.flatMap(({ key, fields }) => fields.map((field) => [placeOf(id, key, field), field]))));
  return now.flatMap(({ id, changes }) =>
    changes.flatMap(({ key, label, fields: wanted }) =>
      wanted.flatMap((field): MovedLiteral[] => {
        const before = fields.get(placeOf(id, key, field))?.after;
        const { path, after } = field;
        if (!before || (before.state !== 'literal' && after.state !== 'literal') || JSON.stringify(before) === JSON.stringify(after)) return [];
        return [{ line: id, label, path, before, after }];
      }),
    ),
  );
}

const placeOf = (line: string, key: string, { path }: ShownField): string => JSON.stringify([line, key, path]);
