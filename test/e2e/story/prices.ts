/**
 * List prices of AWS in us-east-1, US dollars per request, without any free allowance. Taken down by hand: look them up again
 * before you rely on them, and change the date with the figures.
 *
 * - DynamoDB on demand: a write request unit is one write up to 1 KB, a read request unit one strongly consistent read up to 4 KB.
 *   Every request counts as one unit here; the story's items are small.
 * - S3 Standard: PUT and LIST, and GET. HTTP API: any request.
 * - SQS standard queue: any request at 0.40 a million, and 0.10 on top for a fair queue: every message carries a group.
 * - Step Functions, standard: a state transition at 25 a million; starting an execution and completing a token are not charged.
 * - CodeBuild: per minute of a build, which depends on the machine and is not counted.
 * - Lambda on ARM: per invocation; what its time costs depends on the machine and is not counted.
 */
export const prices = {
  asOf: '2026-03',
  region: 'us-east-1',
  tableWrite: 0.625e-6,
  tableRead: 0.125e-6,
  objectPut: 5e-6,
  objectGet: 0.4e-6,
  queue: 0.5e-6,
  secret: 5e-6,
  event: 1e-6,
  invocation: 0.2e-6,
  webhook: 1e-6,
  transition: 25e-6,
} as const;

export type Kind = Exclude<keyof typeof prices, 'asOf' | 'region'>;
