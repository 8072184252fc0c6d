import { relative, resolve } from 'node:path';
import type { OpenQuestion } from '../../../shared/run/questions.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { committedFile } from '../context/local-git.ts';
import type { Release } from '../context/release.ts';
import type { Store } from '../folder/store.ts';
import type { PlanFile } from '../plan-file.ts';

/**
 * What whoever is asked about a plan should know of where it was made: from a file that its commit does not hold, or in a place beside that of
 * the default branch. Nothing of a report that asks nobody.
 *
 * @param cwd the folder that the plan file is named in.
 */
export async function askedFrom(report: RunReport, { repository, branch, scope, sha }: Release, file: PlanFile | undefined, cwd: string): Promise<string[]> {
  if (report.status !== 'awaiting') return [];
  const committed = file && (await committedFile(cwd, sha, relative(cwd, resolve(cwd, file.path))));
  const isOwn = file !== undefined && committed !== file.bytes.toString('utf8').trim();
  const beside = scope.startsWith('branch-') && branch !== repository.defaultBranch;
  return [
    ...(isOwn ? [`${plain(file.path)} is not as commit ${sha.slice(0, 7)} has it: what is asked about goes by the file in this folder.`] : []),
    ...(beside
      ? [
          `This is branch ${plain(branch)}: scope ${plain(scope)} of ${plain(report.environment)} has a ledger of its own, beside that of ${repository.defaultBranch}.`,
        ]
      : []),
  ];
}

/**
 * The questions whose place a run has taken, in a sentence each: they are not open any more, and nobody need look for them.
 *
 * @param open what was open before the run began.
 */
export async function endedBy({ table }: Pick<Store, 'table'>, by: string, open: readonly OpenQuestion[]): Promise<string[]> {
  const runs = await Promise.all(open.map(({ run }) => readRun(table, run.id)));
  return runs.flatMap((run, at) => {
    const why = run?.problem ?? run?.stopping?.problem;
    const isOver = run?.outcome === 'superseded' || run?.stopping?.cause === 'superseded';
    if (!run || !isOver || !why?.message.includes(by)) return [];
    return [`Plan ${open[at]?.digest.slice(0, 12)} of run ${run.id.slice(0, 12)} is not open any more: this run took its place.`];
  });
}
