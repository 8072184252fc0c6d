import { z } from 'zod';
import { unsupported } from '../template/unsupported.ts';
import { type Definition, tasksOf } from './definition.ts';

const sendMessage = 'arn:aws:states:::sqs:sendMessage';
const waiting = '.waitForTaskToken';

const known = new Set([sendMessage, sendMessage + waiting]);

/** What a task of these resources sends: an object as the body becomes JSON. */
const parametersSchema = z.looseObject({ QueueUrl: z.string(), MessageBody: z.unknown() });

export interface Message {
  readonly queueUrl: string;
  readonly body: string;
}

export function messageOf(parameters: unknown): Message {
  const { QueueUrl, MessageBody } = parametersSchema.parse(parameters);
  return { queueUrl: QueueUrl, body: typeof MessageBody === 'string' ? MessageBody : JSON.stringify(MessageBody) };
}

export const waitsForToken = (resource: string): boolean => resource.endsWith(waiting);

/**
 * Sees to it that every task can be done here.
 *
 * @throws LockkeeperError TEMPLATE_UNSUPPORTED with the logical id and the name of the state.
 */
export function checkTasks(owner: string, definition: Definition, hasQueue: (url: string) => boolean): void {
  for (const { state, resource, parameters } of tasksOf(definition)) {
    if (!known.has(resource)) throw unsupported(owner, `its state ${state} calls ${resource || 'nothing'}, which the embedded stack does not do`);
    const url = parameters['QueueUrl'];
    if (typeof url !== 'string' || !hasQueue(url)) throw unsupported(owner, `its state ${state} sends to ${url}, which is no queue of this template`);
  }
}
