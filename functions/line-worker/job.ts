import { lineMessage } from '../../events/line-message.ts';
import type { Log } from '../../shared/ports/log.ts';
import { workLine } from '../../shared/run/work-line.ts';
import type { World } from '../../shared/run/world.ts';
import { type HandBack, queueJob } from '../queue-job.ts';

/** One line of one run a record, each in a world of its own. */
export const lineJob = (open: () => Promise<World>, handBack: HandBack, log: () => Log) =>
  queueJob({ message: lineMessage, open, log, handBack, work: workLine });
