import { dynamoReads, dynamoWrites, type Environment, sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { jsonLog } from '../../shared/platform/log.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Redactor } from '../../shared/redact/redactor.ts';
import { variable } from '../variable.ts';
import type { RecordPorts } from './put-once.ts';

const ids = ulids();

/**
 * The deployed ports of a function that records what it is sent, queues it, and does nothing else. Variables are read at every invocation: the embedded stack runs functions of several stacks in one process.
 *
 * @param writeTimeout how long a write may take, ms: whoever sends waits for an answer.
 */
export function recordingWorld(environment: Environment, redactor: Redactor, writeTimeout: number): RecordPorts & { readonly clock: Clock; readonly log: Log } {
  return {
    table: dynamoTable({
      name: variable(environment, 'TABLE_NAME'),
      writes: dynamoWrites(environment),
      reads: dynamoReads(environment),
      writeTimeout,
    }),
    // The lines queue is none of this function's business, and its role may not use it.
    queues: sqsQueues({ client: sqs(environment), control: variable(environment, 'CONTROL_QUEUE_URL'), lines: '', clock: systemClock }),
    clock: systemClock,
    ids,
    log: jsonLog(redactor, systemClock, (line) => process.stdout.write(line)),
  };
}
