import type { Fault } from '../../crash/gate.ts';
import type { Invariant } from '../../crash/judged.ts';
import type { Edit } from '../mutants.ts';

/** The product without one of the safeguards that the protocol lists at its end. */
export interface ProtocolMutant {
  /** As that list has it. */
  readonly name: string;
  /** Which counterexamples of the models it makes true again, as a case names them; where its case says that, nothing. */
  readonly source?: string;
  /** Where others stand behind the safeguard, they are taken out, too. */
  readonly edits: readonly Edit[];
  /** What it breaks. */
  readonly breaks: Invariant;
  /**
   * What shows it: a case; a story of the simulator, with a fault at the nth call that is so named or with none; or a test, by file and title, and what
   * there names the invariant. `says`: a sentence of what is broken then, its invariant in front.
   */
  readonly caught:
    | { readonly case: string; readonly says: RegExp }
    | { readonly story: string; readonly at?: string; readonly nth?: number; readonly fault?: Fault; readonly says: RegExp }
    | { readonly test: { readonly file: string; readonly title: string }; readonly names: string };
}
