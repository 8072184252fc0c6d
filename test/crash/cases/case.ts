import type { Invariant } from '../judged.ts';
import { openSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts';
import { lastly } from '../story.ts';
import { sentenceOf, type Told, toldOf } from '../told.ts';

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

/** Plays a case, lets everything come to rest, and judges it, then ends as every story does: what is broken, a sentence each, and how it went. */
export async function tellCase({ options, play }: Pick<Case, 'options' | 'play'>): Promise<Told> {
  const simulator = openSimulator(options);
  return toldOf(simulator, async () => {
    const broken: string[] = [];
    const said = (error: unknown): void => void broken.push(sentenceOf(error));
    await play(simulator).catch(said);
    await simulator.rest().catch(said);
    broken.push(...simulator.judge());
    return broken.length > 0 ? broken : ends(simulator);
  });
}

/** What was refused is mended, and what is waited for is there. */
async function ends(simulator: Simulator): Promise<readonly string[]> {
  const { code, provider } = simulator.bench;
  const pull = code.pulls.get(7);
  const commit = pull?.head.sha ?? code.tips.get('main') ?? '';
  provider.faults.clear();
  provider.deploy(commit, 'success');
  return lastly(simulator, { commit, ...(pull ? { pull: 7 } : {}) });
}

/** What is broken where a case is played. */
export const playCase = async (one: Pick<Case, 'options' | 'play'>): Promise<readonly string[]> => (await tellCase(one)).broken;
