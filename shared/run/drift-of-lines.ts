import { identityHash } from '../ledger/identity.ts';
import type { RunLine } from './items.ts';
import type { DriftItem } from './report.ts';

/** What one line met. */
export interface LineDrift {
  readonly line: RunLine;
  readonly drift: readonly DriftItem[];
  /** Keys of everything it wants. */
  readonly wants: readonly string[];
}

/**
 * The drift that the lines of a run met. What one of them wants is not unmanaged, whoever found it lying there, and what several found
 * is one thing (R0.2).
 */
export function driftOfLines(lines: readonly LineDrift[]): DriftItem[] {
  const wanted = new Set(lines.flatMap(({ line, wants }) => wants.map((key) => identityIn(line, key))));
  const told = new Set<string>();
  return lines.flatMap(({ line, drift }) =>
    drift.filter(({ kind, resource }) => {
      if (kind !== 'unmanaged') return true;
      const identity = identityIn(line, resource.key);
      const isNews = !wanted.has(identity) && !told.has(identity);
      told.add(identity);
      return isNews;
    }),
  );
}

function identityIn({ spec, result, applied }: RunLine, key: string): string {
  const account = spec.account ?? result?.account ?? applied?.account ?? {};
  return identityHash({ adapter: spec.adapter, account, key });
}
