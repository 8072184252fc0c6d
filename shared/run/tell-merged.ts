import { mergedMarkerOf, renderComment } from '../surfaces/comment.ts';
import type { Run } from './items.ts';
import type { RunReport } from './report.ts';
import { attempt, readShown, saveShown } from './shown.ts';
import { shownBy } from './shown-by.ts';
import type { ControlWorld } from './world.ts';

/**
 * The question of a pushed commit, and what became of it, on the pull request that was merged: there approvers hear of it. Which one
 * that is the host is asked each time; the run never learns it, since judging the world by a closed pull request would make a destroy
 * of it.
 */
export async function tellMerged(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  const host = world.codeHost.surfaces;
  if (!host || run.pullRequest !== undefined || run.intent !== 'follow' || !hasAsked(run)) return;
  const { told } = await readShown(world, run);
  await attempt(world, run, async () => {
    const pullRequest = await world.codeHost.mergedPullRequest(run.repository, run.commit);
    if (pullRequest === undefined) return;
    const known = told?.pullRequest === pullRequest ? told : undefined;
    // Asked again for the same commit: the comment is the newer question's.
    if (known && known.run !== run.id && report.status === 'superseded') return;
    const { marker, body } = renderComment(shownBy(world, report), {
      marker: mergedMarkerOf(report.plan.name, report.environment),
    });
    const comment = await host.upsertComment(run.repository, pullRequest, marker, body, known?.comment);
    if (comment !== known?.comment || run.id !== known.run) await saveShown(world, run, { told: { pullRequest, comment, run: run.id } });
  });
}

/** Whether people were ever asked: a first plan with nothing to write is honoured without a question. */
const hasAsked = ({ question, honoured }: Run): boolean => question !== undefined && (question.q > 1 || honoured?.decisions.length !== 0);
