import { driftDocument } from '../../../shared/drift/document.ts';
import type { ReadDocument } from '../../../shared/drift/read-document.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { quoted } from '../../../shared/errors/quoted.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { createRun } from '../../../shared/run/create-run.ts';
import type { Run } from '../../../shared/run/items.ts';
import type { Findings } from '../../../shared/scans/findings.ts';
import { scanDocument } from '../../../shared/scans/scan-document.ts';
import { readFindings } from '../../../shared/scans/store-findings.ts';
import { secretNames, storedPlan } from '../commands/run.ts';
import { contextOf, releaseOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Store } from '../folder/store.ts';
import { throwIfInterrupted } from '../interrupted.ts';
import type { Invocation } from '../invocation.ts';
import { linesOf, readPlanFile } from '../plan-file.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import type { Surroundings } from '../surroundings.ts';
import { only } from './only.ts';
import { judgeLine, type ReadAsked } from './read-asked.ts';

/** What is at the providers now, of the plan file and the scope at hand: a scan on the stack of the state folder. */
export async function readLive(invocation: Invocation, asked: ReadAsked, surroundings: Surroundings, version: string): Promise<ReadDocument> {
  const { cwd, environment, redactor, console, signal } = surroundings;
  const file = readPlanFile(cwd, invocation.plan);
  const release = await releaseOf(invocation, environment, cwd);
  const lines = linesOf(file, contextOf(release));
  judgeLine(asked, lines);
  for (const name of secretNames(lines)) redactor.register(environment[name] ?? '', name);
  return atWork(invocation, release.folder, surroundings, async (sessions) => {
    const patience = { progress: console.progress, signal };
    throwIfInterrupted(signal);
    await finishLeftRuns(sessions, patience, console.note);
    const { store } = sessions.current();
    const slot = store.ids.fresh();
    const { repository, environment: where, scope, branch, sha: commit, pullRequest } = release;
    const id = await createRun(store, slot, {
      intent: 'drift',
      repository,
      plan: await storedPlan(store, file),
      environment: where,
      scope,
      commit,
      branch,
      options: { busy: 'fail', scan: { by: 'person', slot, ...(asked.line === undefined ? {} : { lines: [asked.line] }) } },
      ...(pullRequest === undefined ? {} : { pullRequest }),
    });
    const run = await restOf(sessions, id, patience);
    return documentOfScan(sessions.current().store, run, asked, version);
  });
}

/**
 * The document of a scan that is over.
 *
 * @throws LockkeeperError with why nothing could be looked at.
 */
export async function documentOfScan(store: Pick<Store, 'objects'>, run: Run, asked: ReadAsked, version: string): Promise<ReadDocument> {
  const findings = await readFindings(store, run);
  const problem = findings?.problem ?? (findings ? undefined : run.problem);
  if (problem) throw new LockkeeperError(problem);
  if (!findings)
    throw new LockkeeperError({ code: 'NOT_FOUND', message: `Run ${run.id.slice(0, 12)} is ${run.outcome ?? run.phase}, and left nothing that it found.` });
  const document = withNotes(scanDocument(findings, version), run, findings);
  const records = only(document.records, asked, { member: findings.plan, observedAt: findings.endedAt });
  // A dead credential or a provider that is away is no read: whoever asks for drift must not take it for none.
  const failed = findings.lines.find((line) => line.failed)?.failed?.problem;
  if (failed && records.every(({ unobserved }) => unobserved?.reason === 'read-failed')) throw new LockkeeperError(failed);
  return records === document.records ? document : { ...document, ...driftDocument(records, version) };
}

/** What policy says that came to nothing in this read. */
function withNotes(document: ReadDocument, { warnings = [] }: Run, { unmatched = [] }: Pick<Findings, 'unmatched'>): ReadDocument {
  const told = warnings.filter(({ code }) => code === 'POLICY_DOUBTFUL').map(({ message }) => message);
  const idle = unmatched.map(
    (name) => `${policyPath}: \`drift.ignore\` names the resource ${quoted(name)}, and no line has one of that key or name: nothing is ignored because of it.`,
  );
  const notes = [...told, ...idle];
  return notes.length === 0 ? document : { ...document, ...{ notes } };
}
