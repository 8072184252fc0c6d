import type { ReadDocument } from '../../../shared/drift/read-document.ts';
import { releaseOf } from '../context/release.ts';
import { documentOfScan } from '../drift/live.ts';
import type { ReadAsked } from '../drift/read-asked.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { askerOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { recordCommand, startedRun } from './command.ts';
import { patienceOf, restInStack } from './follow.ts';
import { pathInRepository } from './pushed.ts';
import { openStack } from './stack.ts';

/** What is at the providers now, of what the default branch releases: a scan that a deployed stack makes. */
export function readLiveOnStack(
  invocation: Invocation,
  name: string,
  { line, ...asked }: ReadAsked,
  surroundings: Surroundings,
  version: string,
): Promise<ReadDocument> {
  return throughAws(async () => {
    const { cwd, environment } = surroundings;
    const { sha: commit, branch, environment: where } = await releaseOf(invocation, environment, cwd);
    const { remote, person } = await askerOf(name, surroundings);
    const path = pathInRepository(remote.root, cwd, invocation.plan);
    const stack = await openStack(name, environment);
    const patience = patienceOf(surroundings);
    const about = { intent: 'drift', owner: remote.owner, name: remote.name, path, environment: where, branch, commit, reconcile: false, person } as const;
    const id = await startedRun(stack.store, await recordCommand(stack.store, line === undefined ? about : { ...about, only: line }), patience);
    const run = await restInStack(stack, id, patience);
    patience.progress.clear();
    return documentOfScan(stack.store, run, asked, version);
  });
}
