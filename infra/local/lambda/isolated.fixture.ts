import type { SQSEvent } from 'aws-lambda';

/** Tells the test's server that it is at work, and ends when that answers. */
export async function handler({ Records }: SQSEvent): Promise<void> {
  for (const { body, attributes } of Records) {
    const work = { pid: process.pid, body, attempt: attributes.ApproximateReceiveCount, function: process.env['AWS_LAMBDA_FUNCTION_NAME'] };
    await fetch(process.env['PROVIDER'] ?? '', { method: 'POST', body: JSON.stringify(work) });
  }
}
