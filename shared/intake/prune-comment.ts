import type { IntakeOf } from '../../events/intake.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun } from '../run/create-run.ts';
import type { ControlWorld } from '../run/world.ts';
import { heardComment, newestOfEach } from './rerun.ts';

/**
 * `/lockkeeper prune`, `prune <line>` or `prune --all`, written on an open pull request by somebody who may push: a run in every place where its
 * head has one. Without a line and without `--all` it shows what would go. Each run answers on the pull request.
 */
export async function pruneComment(world: ControlWorld, intake: IntakeOf<'issue_comment'>, repository: Repository): Promise<void> {
  const heard = await heardComment(world, intake, repository);
  if ('ignored' in heard) return world.log.info(`a comment asked for a prune: ${heard.ignored}`, { intake: intake.id });
  const { line, all } = intake.comment.prune ?? {};
  const told = line === undefined ? (all ? ({ confirmed: true } as const) : {}) : ({ only: line, confirmed: true } as const);
  for (const run of newestOfEach(heard.runs)) {
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
}
