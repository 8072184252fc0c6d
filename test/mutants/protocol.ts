/** The protocol with one of its rules taken out, and where that is seen: the list at the end of the protocol, word for word. */
import type { Invariant } from '../crash/cases/case.ts';
import type { Edit } from './mutants.ts';

export interface ProtocolMutant {
  /** As the protocol names it. */
  readonly name: string;
  /** Where a second safeguard would hold, it is taken out, too: a comment at the mutant says which. */
  readonly edits: readonly Edit[];
  readonly breaks: Invariant;
  /** A case of `test/crash/cases` by its name, or a test by its file and title. */
  readonly caught: { readonly case: string } | { readonly test: { readonly file: string; readonly title: string } };
}
