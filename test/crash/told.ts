import { type Judged, judgedOf } from './judged.ts';
import type { Simulator } from './simulator.ts';

/** What came of one that was told: a story with a fault, two workers at a job, a case, a seed. */
export interface Told {
  /** What is broken, a sentence each, that begins with the name of an invariant, or with `thrown`; empty: everything held. */
  readonly broken: readonly string[];
  readonly trace: Simulator['trace'];
  readonly deliveries: number;
  /** Whether what was to befall has befallen: of what ends before that, nothing is known that was not known without. */
  readonly befell: boolean;
  /** How much each invariant had to judge. */
  readonly judged: Judged;
}

/** What an error says is broken. Whatever is no finding was thrown: by what is told, or by whoever tells it. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return /^I\d+: /.test(said) ? said : `thrown: ${(error instanceof Error && error.stack) || said}`;
}

/** Tells it. @param story @returns what is broken. @param befell asked at its end. */
export async function toldOf(simulator: Simulator, story: () => Promise<readonly string[]>, befell: () => boolean = () => true): Promise<Told> {
  const broken = await story().catch((error: unknown) => [sentenceOf(error)]);
  return { broken, trace: simulator.trace, deliveries: simulator.deliveries, befell: befell(), judged: judgedOf(simulator) };
}
