import type { Decision } from './decision.ts';

/** What the answers to a question come to: one rejection ends it, one approval is enough. Undefined: nobody has answered. */
export function judgeDecisions(decisions: readonly Decision[]): Decision['verdict'] | undefined {
  if (decisions.some((decision) => decision.verdict === 'reject')) return 'reject';
  return decisions.length > 0 ? 'approve' : undefined;
}
