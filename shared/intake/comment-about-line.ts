import { isDeepStrictEqual } from 'node:util';
import { saidIn } from '../../events/comment-in.ts';
import type { IntakeOf } from '../../events/intake.ts';
import type { Said } from '../../events/said.ts';
import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import { confirmLine } from '../rulings/confirm-line.ts';
import { optionsOfSaid, ruleLine } from '../rulings/rule-line.ts';
import { createRun } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderRefusedComment } from '../surfaces/refused-comment.ts';
import { passes } from './passes.ts';
import { heardComment, newestOfEach } from './rerun.ts';

/**
 * `/lockkeeper adopt <line>`, `reconcile <line>`, `accept <line> until <date> <reason>`, written on an open pull request by somebody who
 * may push: said in every place where the head has a run and the line, and a run is made there. `confirm <line>` is said of what a run
 * shows, on a closed pull request too, whose removal may wait for it; that run goes on. What is refused is told
 * its author: everywhere it was, or, where another place took it, what is more than that the line is not there.
 */
export async function commentAboutLine(world: ControlWorld, intake: IntakeOf<'issue_comment'>, said: Said, repository: Repository): Promise<void> {
  const heard = await heardComment(world, intake, repository, (body) => isDeepStrictEqual(saidIn(body), said), said.verb === 'confirm');
  if ('ignored' in heard) return world.log.info(`a comment spoke of a line: ${heard.ignored}`, { intake: intake.id });
  const refusals: { readonly run: Run; readonly problem: Problem }[] = [];
  let started = 0;
  for (const run of newestOfEach(heard.runs)) {
    const refused = await sayIn(world, intake, said, run);
    if (refused) refusals.push({ run, problem: refused });
    else started += 1;
  }
  // A line is seldom in every plan of a head: that one place knows nothing of it is no news once another has taken it.
  const [told] = started === 0 ? refusals : refusals.filter(({ problem }) => problem.code !== 'USAGE');
  if (started > 0 && !told) return;
  const none: Problem = { code: 'USAGE', message: 'The head of this pull request has no run.', hint: 'Push to it, or re-run its checks.' };
  const { pullRequest } = intake.comment;
  const { marker, body } = renderRefusedComment(
    intake.id,
    said,
    intake.sender.login,
    maskProblem(world, told?.problem ?? none),
    started > 0 ? told?.run : undefined,
  );
  await world.codeHost.surfaces?.upsertComment(repository, pullRequest, marker, body);
}

/** Answers with why it was not said there. @throws whatever passes by itself: the intake comes back. */
async function sayIn(world: ControlWorld, intake: IntakeOf<'issue_comment'>, said: Said, run: Run): Promise<Problem | undefined> {
  const { sender, receivedAt } = intake;
  const start = `${intake.id}#${run.scope}`;
  try {
    const by = { name: sender.login, through: 'github' } as const;
    if (said.verb === 'confirm') return void (await confirmLine(world, runScope(run), said.line, { by, start, at: receivedAt }));
    await ruleLine(world, run, said, by, start, receivedAt);
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    return problem;
  }
  const { intent, repository, plan, environment, scope, commit, branch, pullRequest } = run;
  const { name, path } = plan;
  const fixed = { intent, repository, plan: { name, path }, environment, scope, commit, branch, triggeredBy: sender.login };
  const options = optionsOfSaid({ busy: 'wait' }, said);
  await createRun(world, start, { ...fixed, options, ...(pullRequest === undefined ? {} : { pullRequest }) });
  return undefined;
}
