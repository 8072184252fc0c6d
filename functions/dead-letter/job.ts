import { z } from 'zod';
import { controlMessage } from '../../events/control-message.ts';
import { lineMessage } from '../../events/line-message.ts';
import type { Log } from '../../shared/ports/log.ts';
import { deadLine, deadStep } from '../../shared/run/dead-letter.ts';
import type { JobWorld, World } from '../../shared/run/world.ts';
import { type HandBack, queueJob } from '../queue-job.ts';

/** A line whose job died a record, or a control step that did. */
export const deadJob = (open: () => JobWorld & Pick<World, 'redactor'>, handBack: HandBack, log: () => Log) =>
  queueJob({
    message: z.union([lineMessage, controlMessage]),
    open,
    log,
    handBack,
    work: async (world, message) => ('line' in message ? deadLine(world, message) : deadStep(world, message)),
  });
