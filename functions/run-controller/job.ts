import { controlMessage } from '../../events/control-message.ts';
import { controlStep } from '../../shared/run/control-step.ts';
import type { ControlWorld } from '../../shared/run/world.ts';
import { type HandBack, queueJob, soonThenLessOften } from '../queue-job.ts';

/** One control step of a run a record, each in a world of its own. */
export const controlJob = (world: () => Promise<ControlWorld>, handBack: HandBack) =>
  queueJob({ message: controlMessage, handBack, work: async (message) => controlStep(await world(), message), away: soonThenLessOften });
