import { z } from 'zod';
import { controlMessage } from '../../events/control-message.ts';
import { lineMessage } from '../../events/line-message.ts';
import { deadLine, deadStep } from '../../shared/run/dead-letter.ts';
import type { JobWorld } from '../../shared/run/world.ts';
import { type HandBack, queueJob } from '../queue-job.ts';

/** A line whose job died a record, or a control step that did. */
export const deadJob = (world: () => JobWorld, handBack: HandBack) =>
  queueJob({
    message: z.union([lineMessage, controlMessage]),
    handBack,
    work: async (message) => ('line' in message ? deadLine(world(), message) : deadStep(world(), message)),
  });
