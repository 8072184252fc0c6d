import { named } from '../elsewhere.ts';
import { jobsAndPhases } from '../jobs-and-phases.ts';
import type { ProtocolMutant } from '../mutant.ts';

/** One of the list's once more, where another case shows it. */
export const again = (name: string, breaks: ProtocolMutant['breaks'], where: string, says: RegExp): ProtocolMutant => ({
  ...named(jobsAndPhases, name),
  name: `${name}, where ${where}`,
  breaks,
  caught: { case: where, says },
});
