import type { LineResult, LineSpec } from '../run/items.ts';

/** A redeploy that did not come about: it stops nothing and undoes nothing; lines that need what it gives are skipped with this. */
export function redeployFailed({ adapter, redeploy }: Pick<LineSpec, 'adapter' | 'redeploy'>, why: string): LineResult {
  const lines = (redeploy?.lines ?? []).map((line) => `\`${line}\``).join(', ');
  const message = `${lines}: what was written at ${adapter} stands, and no deployment has it: ${why}`;
  const problem = { code: 'REDEPLOY_FAILED', message } as const;
  return { status: 'unchanged', changes: [], outputs: {}, problem, externalFailed: problem };
}
