import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueueDepth } from '../../infra/local/data-plane/queues.ts';

/** The stack's queues, by the output that holds their address. */
export const queueOutputs = {
  control: 'ControlQueueUrl',
  lines: 'LinesQueueUrl',
  controlDead: 'ControlDeadLetterQueueUrl',
  linesDead: 'LinesDeadLetterQueueUrl',
};

/** Depth of every queue, by the name of its output. */
export async function depthsOf(sqs: SQSClient, outputs: Readonly<Record<string, string>>): Promise<Record<string, QueueDepth>> {
  const depths = Object.values(queueOutputs).map(async (output) => {
    const asked = { QueueUrl: String(outputs[output]), AttributeNames: ['All' as const] };
    const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand(asked));
    const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: inFlight, ApproximateNumberOfMessagesDelayed: delayed } = Attributes;
    return [output, { visible: Number(visible ?? 0), inFlight: Number(inFlight ?? 0), delayed: Number(delayed ?? 0) }] as const;
  });
  return Object.fromEntries(await Promise.all(depths));
}
