import { type ReadDocument, readDocument } from '../drift/read-document.ts';
import { scopePath } from '../table/keys.ts';
import type { Findings } from './findings.ts';
import { recordsOfFindings } from './records-of-findings.ts';

/** Where the bucket keeps the drift document of a scan. */
export const scanDocumentKey = ({ run, repository, plan, environment, scope, startedAt }: Omit<Findings, 'lines' | 'beside'>): string =>
  `drift/${scopePath({ repository: repository.id, plan, environment, scope })}/${startedAt}-${run.slice(0, 12)}.json`;

/** The drift document of a scan. The findings are masked by now. */
export function scanDocument(findings: Findings, lockkeeper?: string): ReadDocument {
  const { run, plan, environment, scope, commit } = findings;
  return readDocument({ member: plan, lockkeeper }, recordsOfFindings(findings), { environment, scope, commit, run });
}
