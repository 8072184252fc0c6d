import type { Said } from '../../events/said.ts';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import { listed, quoted } from '../errors/quoted.ts';
import type { NewRuling, Ruler } from './ruling.ts';
import { untilOf } from './until.ts';

/**
 * How long a lift that nothing has used up holds, ms. It names a line and not what the line would take over: one that its run had no need
 * of must not let a later one take over what nobody has seen.
 */
const liftLasts = 24 * 3_600_000;

/**
 * What somebody said about a line as a ruling. `reconcile` and `recreate` are none: they are choices for the one run that they start. `confirm` is none
 * without the run that waits for it.
 *
 * @param at when it was said, ISO 8601. @throws LockkeeperError USAGE for an acceptance without a reason or an end, or with one that is past.
 */
export function rulingOfSaid({ verb, line, until, reason }: Said, by: Ruler, at: string): NewRuling | undefined {
  // A confirmation is bound to what was shown, which its run knows.
  if (verb === 'reconcile' || verb === 'recreate' || verb === 'confirm') return undefined;
  if (verb === 'adopt') return { kind: 'lift', line, by, at, until: new Date(Date.parse(at) + liftLasts).toISOString() };
  const why = reason?.trim() ?? '';
  if (until === undefined) throw usage(`It is not said until when line ${line} is to be left as it is.`);
  if (why === '') throw usage(`It is not said why line ${line} is to be left as it is.`);
  return { kind: 'accept', line, by, at, until: untilOf(until, Date.parse(at)), reason: why };
}

/** @throws LockkeeperError USAGE, naming the lines there are. */
export function judgeLine(line: string, lines: readonly string[]): void {
  const problem = unknownLine(line, lines);
  if (problem) throw new LockkeeperError(problem);
}

/** The refusal of a name that no line has. */
export function unknownLine(line: string, lines: readonly string[]): Problem | undefined {
  if (lines.includes(line)) return undefined;
  const there = lines.length === 0 ? 'there is none' : `there are ${listed(lines)}`;
  return { code: 'USAGE', message: `There is no line ${quoted(line)}: ${there}.`, hint: 'Name a line by its `id` in the plan file.' };
}

const usage = (message: string): LockkeeperError =>
  new LockkeeperError({ code: 'USAGE', message, hint: 'Type `lockkeeper accept <line> --until <date or duration> --reason <text>`.' });
