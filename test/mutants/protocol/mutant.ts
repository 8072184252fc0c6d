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
  /** What it breaks: a sentence of its case that begins so. */
  readonly breaks: Invariant;
  /** The case that shows it; a story of the simulator, with a fault at the nth call that is so named or with none; or a test, by file and title. */
  readonly caught:
    | { readonly case: string }
    | { readonly story: string; readonly at?: string; readonly nth?: number; readonly fault?: Fault }
    | { readonly test: { readonly file: string; readonly title: string } };
}
