import { type Intake, intake as intakeSchema } from '../../events/intake.ts';
import type { Repository } from '../ports/code-host.ts';
import type { Item } from '../ports/table.ts';
import { noteRepository } from '../run/known-repository.ts';
import type { ControlWorld } from '../run/world.ts';
import { any, equal } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { answerComment } from './answer-comment.ts';
import { commentAboutLine } from './comment-about-line.ts';
import { commentWish } from './comment-wish.ts';
import { dashboardIssue } from './dashboard-issue.ts';
import { deploymentHappened } from './deployment.ts';
import { type PressedIntake, pressedButton } from './pressed-button.ts';
import { pruneComment } from './prune-comment.ts';
import { pullRequestHappened } from './pull-request.ts';
import { pushHappened } from './push.ts';
import { rerequestedCheck, rerequestedSuite, retryComment } from './rerun.ts';

/**
 * The intake step (P6): from what a webhook recorded to one run per plan and environment, each create-only under a hash of
 * the intake; or, for a deployment, to a note on the scopes that may wait for it. Repeating it changes nothing.
 */
export async function intakeStep(world: ControlWorld, item: Item): Promise<void> {
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const recorded = intakeSchema.parse(attributes);
  if (recorded.status === 'done') return;
  const repository = await repositoryOf(world, recorded);
  if (repository) {
    await noteRepository(world, repository);
    const { noting, woken } = noted(world);
    await happened(noting, recorded, repository);
    const { id, event } = recorded;
    world.log.info(woken.length > 0 ? 'an intake is dealt with' : 'an intake is dealt with: it starts nothing', { intake: id, event, woken });
  } else {
    world.log.warn('the host has no such repository under that id', { intake: recorded.id, repository: recorded.repository.id });
  }
  const open = any(equal('status', 'recorded'), equal('status', 'died'));
  await write(world, runKey(recorded.id), { set: { status: 'done' }, remove: ['since'] }, open);
}

/** The world, and the ids of the runs, and what else, that is queued through it: whoever looks for what became of an event finds them in the log. */
function noted(world: ControlWorld): { readonly noting: ControlWorld; readonly woken: readonly string[] } {
  const woken: string[] = [];
  const queues: ControlWorld['queues'] = {
    lines: (messages, seconds) => world.queues.lines(messages, seconds),
    control(message, seconds) {
      woken.push('run' in message ? message.run : message.look);
      return world.queues.control(message, seconds);
    },
  };
  return { noting: { ...world, queues }, woken };
}

/**
 * The repository as the host tells it. Its default branch says where the policy lies, its id which scopes are its own: neither is
 * taken from a webhook, since whoever has the webhook's secret could name others.
 */
async function repositoryOf(world: ControlWorld, { repository }: Intake): Promise<Repository | undefined> {
  const found = await world.codeHost.repository(repository);
  return found?.id === repository.id ? found : undefined;
}

function happened(world: ControlWorld, intake: Intake, repository: Repository): Promise<void> {
  switch (intake.event) {
    case 'pull_request':
      return pullRequestHappened(world, intake, repository);
    case 'push':
      return pushHappened(world, intake, repository);
    case 'deployment_status':
      return deploymentHappened(world, intake, repository);
    case 'check_run':
      return intake.check.pressed ? pressedButton(world, intake as PressedIntake, repository) : rerequestedCheck(world, intake, repository);
    case 'check_suite':
      return rerequestedSuite(world, intake, repository);
    case 'issues':
      return dashboardIssue(world, intake, repository);
    case 'issue_comment':
      if (intake.comment.answered) return answerComment(world, intake, intake.comment.answered, repository);
      if (intake.comment.wished) return commentWish(world, intake, intake.comment.wished, repository);
      if (intake.comment.prune) return pruneComment(world, intake, repository);
      return intake.comment.said ? commentAboutLine(world, intake, intake.comment.said, repository) : retryComment(world, intake, repository);
  }
}
