import { lineMessage } from '../../events/line-message.ts';
import { workLine } from '../../shared/run/work-line.ts';
import type { World } from '../../shared/run/world.ts';
import { type HandBack, queueJob } from '../queue-job.ts';

/** One line of one run a record, each in a world of its own. */
export const lineJob = (world: () => Promise<World>, handBack: HandBack) =>
  queueJob({ message: lineMessage, handBack, work: async (message) => workLine(await world(), message) });
