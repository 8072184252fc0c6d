/**
 * List prices of us-east-1 in US dollars, as AWS's own price pages had them in November 2026: on-demand capacity, standard storage classes, no
 * free tier, no taxes. Storage, data transfer, CloudWatch, KMS, EventBridge and CodeBuild are left out: they do not grow with lines.
 */
export const prices = {
  /** DynamoDB on demand, a write request unit of 1 KB, a read request unit of 4 KB read strongly. */
  write: 0.625 / 1e6,
  read: 0.125 / 1e6,
  /** SQS fair queue (every message names its group), a request of up to 64 KB. */
  queue: 0.5 / 1e6,
  /** S3 Standard: PUT and LIST, GET. */
  put: 0.005 / 1_000,
  get: 0.0004 / 1_000,
  /** Step Functions Standard, a state transition. */
  transition: 0.025 / 1_000,
  /** Lambda on ARM: a request, and a GB for a second. */
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
} as const;
