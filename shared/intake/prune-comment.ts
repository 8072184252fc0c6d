import { isDeepStrictEqual } from 'node:util';
import { pruneIn } from '../../events/comment-in.ts';
import type { IntakeOf } from '../../events/intake.ts';
import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Repository } from '../ports/code-host.ts';
import { judgeRemover } from '../rulings/who-may-rule.ts';
import { createRun } from '../run/create-run.ts';
import type { Run, RunOptions } from '../run/items.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { takenBy } from '../run/prepare-removal.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderRefusedAnswer } from '../surfaces/refused-answer.ts';
import { passes } from './passes.ts';
import { heardComment, newestOfEach } from './rerun.ts';

type PruneIntake = IntakeOf<'issue_comment'>;

/**
 * `/lockkeeper prune`, `prune <line>` or `prune --all`, written on an open pull request by somebody who may push: a run in every place where its
 * head has one. What is protected, an approver alone has removed there, and is asked about it all the same. Without a line and without `--all` it shows what would go. Each run answers on the pull request.
 */
export async function pruneComment(world: ControlWorld, intake: IntakeOf<'issue_comment'>, repository: Repository): Promise<void> {
  const heard = await heardComment(world, intake, repository, (body) => isDeepStrictEqual(pruneIn(body), intake.comment.prune));
  if ('ignored' in heard) return world.log.info(`a comment asked for a prune: ${heard.ignored}`, { intake: intake.id });
  const { line, all } = intake.comment.prune ?? {};
  const told: Pick<RunOptions, 'only' | 'confirmed'> = line === undefined ? (all ? { confirmed: true } : {}) : { only: line, confirmed: true };
  const refused: Problem[] = [];
  for (const run of newestOfEach(heard.runs)) {
    const problem = told.confirmed ? await mayPrune(world, intake, repository, { ...run, intent: 'prune', options: { busy: 'wait', ...told } }) : undefined;
    if (problem) refused.push(problem);
    if (problem) continue;
    const { plan, environment, scope, commit, branch, pullRequest } = run;
    const { name, path } = plan;
    await createRun(world, `${intake.id}#${scope}`, {
      intent: 'prune',
      repository,
      plan: { name, path },
      environment,
      scope,
      commit,
      branch,
      triggeredBy: intake.sender.login,
      options: { busy: 'wait', ...told },
      ...(pullRequest === undefined ? {} : { pullRequest }),
    });
  }
  const [problem] = refused;
  if (problem) await tellRefused(world, intake, repository, `prune${line === undefined ? ' --all' : ` ${line}`}`, problem);
}

/** Why its author may not have this removed: it is protected, and they decide nothing there. @throws whatever passes by itself. */
async function mayPrune(world: ControlWorld, { sender }: PruneIntake, repository: Repository, run: Run): Promise<Problem | undefined> {
  try {
    const taken = takenBy({ ...run, kind: 'prune' }, await readLedger(world.table, runScope(run)));
    await judgeRemover(world, { name: sender.login, through: 'github' }, run, await loadPolicy(world, repository), taken);
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    return problem;
  }
}

async function tellRefused(world: ControlWorld, { id, sender, comment }: PruneIntake, repository: Repository, asked: string, problem: Problem): Promise<void> {
  const { marker, body } = renderRefusedAnswer(id, { author: sender.login, asked, problem: maskProblem(world, problem), stack: world.stackName });
  await world.codeHost.surfaces?.upsertComment(repository, comment.pullRequest, marker, body);
}
