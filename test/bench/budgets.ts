import type { Measured, Requests } from './runs.ts';

/** One measured thing against its budget. */
export interface Finding {
  readonly what: string;
  readonly measured: string;
  readonly budget: string;
  readonly met: boolean;
  readonly details: readonly string[];
}

const writeKinds = ['dynamodb.PutItem', 'dynamodb.UpdateItem', 'dynamodb.DeleteItem'];

/**
 * DynamoDB writes of one line with one resource, the controller's included. Judged to one decimal: the two runs that are
 * subtracted differ by a few requests of their own, where control steps happen to meet at the end of a phase.
 */
const writesPerLine: Readonly<Record<string, number>> = { plan: 4, unchanged: 6, create: 9 };

/** A mapping that works on fifty lines at a time must gain at least so much over one at a time. */
const leastGain = 8;

export const budgets = {
  perLine(name: string, requests: Requests): Finding {
    const writes = writeKinds.reduce((sum, kind) => sum + (requests[kind] ?? 0), 0);
    const budget = writesPerLine[name];
    return {
      what: `DynamoDB writes per line, ${name}`,
      measured: writes.toFixed(2),
      budget: budget === undefined ? 'none' : `at most ${budget}`,
      met: budget === undefined || Math.round(writes * 10) / 10 <= budget,
      details: [`requests per line: ${kinds(requests)}`],
    };
  },
  sideBySide(lines: number, parallel: Measured, sequential: Measured): Finding {
    const gain = sequential.seconds / parallel.seconds;
    const perLine = Object.fromEntries(Object.entries(parallel.requests).map(([kind, count]) => [kind, count / lines]));
    return {
      what: `${lines} lines at 100 ms latency, 50 at a time against 1`,
      measured: `${gain.toFixed(1)} × faster`,
      budget: `at least ${leastGain} ×`,
      met: gain >= leastGain && parallel.status === 'complete' && sequential.status === 'complete',
      details: [
        `${parallel.seconds.toFixed(1)} s (${parallel.status}) against ${sequential.seconds.toFixed(1)} s (${sequential.status})`,
        `requests per line: ${kinds(perLine)}`,
      ],
    };
  },
};

const kinds = (requests: Requests): string =>
  Object.entries(requests)
    .filter(([, count]) => count >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${count.toFixed(2)}`)
    .join(', ');
