import type { Decision } from '../approvals/decision.ts';
import type { ReportedDecision } from './report.ts';

/** Decisions as receipts and people see them. Nobody verified the person at the terminal of an embedded stack. */
export const reportedDecisions = (decisions: readonly Decision[]): ReportedDecision[] =>
  decisions.map(({ verdict, person, at }) => ({ verdict, person: person.name, standing: person.through === 'machine' ? 'unverified, self' : 'verified', at }));
