import type { Told } from '../enumerate.ts';
import { openSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts';

/** A counterexample of a model, played against the real code by workers that stand, go on and die where it says. */
export interface Case {
  /** A sentence: what happens. */
  readonly name: string;
  /** Where the models tell of it: `m3-phase 3-A`, `combined exec ET 3`. */
  readonly source: string;
  /** The invariants that the safeguards it is about keep. */
  readonly guards: readonly Invariant[];
  /** The world it is played in, where it is not the usual one. */
  readonly options?: SimulatorOptions;
  /** Ends wherever it likes. It throws a sentence that begins with the name of an invariant for what no oracle sees. */
  play(simulator: Simulator): Promise<void>;
}

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12';

/** Plays a case, lets everything come to rest, and judges: what is broken, a sentence each, and how it went. */
export async function tellCase({ options, play }: Pick<Case, 'options' | 'play'>): Promise<Told> {
  const simulator = openSimulator(options);
  const broken: string[] = [];
  const said = (error: unknown): void => void broken.push(error instanceof Error ? error.message : String(error));
  await play(simulator).catch(said);
  await simulator.rest().catch(said);
  return { broken: [...broken, ...simulator.judge()], trace: simulator.trace, deliveries: simulator.deliveries };
}

/** What is broken where a case is played. */
export const playCase = async (one: Pick<Case, 'options' | 'play'>): Promise<readonly string[]> => (await tellCase(one)).broken;
