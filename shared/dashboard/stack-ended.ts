import type { Run } from '../run/items.ts';
import type { LineReport, RunReport } from '../run/report.ts';
import type { RowContent } from './change-row.ts';
import { type Ended, nothingKnown } from './ended.ts';
import { tookAway } from './left-unsure.ts';
import type { Source } from './row.ts';

/** What a run says of one of its stacks. `live`: its tool looked at what is there. */
export interface StackEnd {
  readonly line: LineReport;
  readonly live: boolean;
}

/**
 * What the end of a run says of a stack's own row: that of its line, whatever became of others. A stack of which the run says nothing keeps what was known,
 * but where everything was taken away.
 */
export function stackEnded(before: RowContent, run: Run, report: RunReport, source: Source, end: StackEnd | undefined): Ended {
  if (report.status === 'complete' && tookAway(report)) return { ...nothingKnown, seen: source };
  if (!end || report.kind !== 'apply') return {};
  const { status, problem } = end.line;
  const code = problem?.code ?? 'INTERNAL';
  switch (status) {
    case 'applied':
    case 'unchanged':
      return { ...done(run, report, source), ...(end.live ? { drift: undefined, check: undefined } : driftAlone(before)) };
    case 'failed':
    case 'rolled_back':
    case 'rollback_failed':
      return { unsure: true, lastFailed: { run: run.id, status: 'failed', code, at: report.finishedAt } };
    case 'error':
    case 'blocked':
      // What a tick asked for and could not have says nothing of what is pending; what waits for another line is that one's to tell.
      return run.options.ticked || code === 'DEPENDENCY_BLOCKED' ? {} : { failed: { ...source, code, message: problem?.message ?? 'The run failed.' } };
    default:
      return {};
  }
}

/** A repair deploys none of the commit: it puts back what an earlier one has released. */
function done({ id, commit, triggeredBy, options: { ticked } }: Run, { finishedAt }: RunReport, source: Source): Ended {
  const by = ticked?.by ?? triggeredBy;
  const done = { run: id, at: finishedAt, ...(by === undefined ? {} : { by }) };
  return {
    ...(ticked?.box === 'repair' ? { repaired: done } : { applied: { ...done, commit } }),
    failed: undefined,
    lastFailed: undefined,
    unsure: undefined,
    pending: undefined,
    seen: source,
  };
}

/** What had drifted, of which a tool that was not asked says nothing: it stands, and its box with the plan that is no more goes. The next look makes another. */
function driftAlone({ drift }: RowContent): Ended {
  if (!drift) return {};
  const { digest: _digest, ...stands } = drift;
  return { drift: stands };
}
