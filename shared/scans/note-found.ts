import { absent, equal } from '../table/condition.ts';
import { driftFoundKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { type DriftFound, driftFoundOf } from './found.ts';

/** What is to stand in the item; undefined: the item is to go, or to stay as it is. */
type Next = (before: DriftFound | undefined) => Omit<DriftFound, 'line' | 'version'> | undefined;

/**
 * Writes down what is known of a line, by compare-and-swap: two looks at one line end one after the other.
 *
 * @param next made of what stands there now, as often as somebody else was first. Undefined: nothing is written.
 */
export async function noteFound(writer: Writer, scope: string, line: string, known: DriftFound | undefined, next: Next): Promise<void> {
  const content = next(known);
  if (content === undefined) return;
  const when = known ? equal('version', known.version) : absent;
  const result = await write(writer, driftFoundKey(scope, line), (version) => ({ put: { format: 1, line, ...content, version } }), when);
  if (!result.won) await noteFound(writer, scope, line, result.found && driftFoundOf(result.found), next);
}

/** Takes away what is known of a line that is not looked at any more. */
export async function forgetFound(writer: Writer, scope: string, { line, version }: DriftFound): Promise<void> {
  await write(writer, driftFoundKey(scope, line), { delete: true }, equal('version', version));
}
