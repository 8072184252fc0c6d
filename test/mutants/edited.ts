import type { Edit } from './mutants.ts';

/** How often an edit's anchor stands in a source. */
export const occurrences = (source: string, { anchor }: Edit): number => source.split(anchor).length - 1;

/** @throws Error when the anchor does not stand there exactly once. */
export function edited(source: string, edit: Edit): string {
  if (occurrences(source, edit) !== 1) throw new Error(`the anchor of a mutant does not stand exactly once in ${edit.file}: ${edit.anchor}`);
  return source.replace(edit.anchor, () => edit.replacement);
}
