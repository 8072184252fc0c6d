import { controlMessage } from '../../events/control-message.ts';
import type { Log } from '../../shared/ports/log.ts';
import { controlStep } from '../../shared/run/control-step.ts';
import type { ControlWorld } from '../../shared/run/world.ts';
import { type HandBack, queueJob, soonThenLessOften } from '../queue-job.ts';

/** One control step of a run a record, each in a world of its own. */
export const controlJob = (open: () => Promise<ControlWorld>, handBack: HandBack, log: () => Log) =>
  queueJob({ message: controlMessage, open, log, handBack, work: controlStep, away: soonThenLessOften });
