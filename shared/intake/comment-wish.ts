import { isDeepStrictEqual } from 'node:util';
import type { IntakeOf } from '../../events/intake.ts';
import { wishIn } from '../../events/wish-in.ts';
import { maskProblem } from '../engine/line-call.ts';
import { LockkeeperError, type Problem, problemOf } from '../errors/error.ts';
import type { Comment, Repository } from '../ports/code-host.ts';
import { judgeRuler } from '../rulings/who-may-rule.ts';
import { cancelRun, environmentsAsked } from '../run/cancel.ts';
import { findRun } from '../run/find-run.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { logEvent } from '../run/run-log.ts';
import { undoRun } from '../run/undo.ts';
import { givenBefore, withdrawAnswer } from '../run/withdraw-answer.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderRefusedAnswer } from '../surfaces/refused-answer.ts';
import { passes } from './passes.ts';
import { asWritten } from './written.ts';

type WishIntake = IntakeOf<'issue_comment'>;
type Wished = NonNullable<WishIntake['comment']['wished']>;

/**
 * `/lockkeeper withdraw <digest>`, `cancel <run>`, `undo <run>`: one's own answer is taken back, a run is stopped, or what one created is
 * removed. Judged as at a terminal, once the host has said that its author wrote it. What is refused is told its author where they may push here: a stranger is not answered.
 */
export async function commentWish(world: ControlWorld, intake: WishIntake, wished: Wished, repository: Repository): Promise<void> {
  const { id, sender, comment } = intake;
  if (sender.type !== 'User') return world.log.info('a comment of a program asked for something', { intake: id });
  const written = await asWritten(world, intake, repository, (body) => isDeepStrictEqual(wishIn(body), wished));
  if (!written) return;
  const problem = await carryOut(world, intake, wished, repository, written);
  if (!problem) return;
  world.log.info('a comment asked for something that is refused', { intake: id, code: problem.code });
  if (!mayPush.has(await world.codeHost.permission(repository, sender.login))) return;
  const refused = { author: sender.login, asked: `${wished.verb} ${wished.of}`, problem: maskProblem(world, problem), stack: world.stackName };
  const { marker, body } = renderRefusedAnswer(id, refused);
  await world.codeHost.surfaces?.upsertComment(repository, comment.pullRequest, marker, body);
}

const mayPush: ReadonlySet<string> = new Set(['write', 'maintain', 'admin']);

async function carryOut(world: ControlWorld, intake: WishIntake, { verb, of }: Wished, repository: Repository, { at }: Comment): Promise<Problem | undefined> {
  const by = { name: intake.sender.login, through: 'github' } as const;
  try {
    if (verb === 'withdraw') {
      const run = await withdrawAnswer(world, repository.id, of, by, givenBefore(Math.min(Date.parse(at), Date.parse(intake.receivedAt)), world.timing));
      await logEvent(world, run, 'withdrawn', { detail: `by ${by.name}` });
    } else await aboutRun(world, intake, verb, of, repository);
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    return problem;
  }
}

/** Whoever may decide where the run writes may stop it, and have what it created removed: what is protected is asked about all the same. */
async function aboutRun(world: ControlWorld, { id, sender }: WishIntake, verb: 'cancel' | 'undo', of: string, repository: Repository): Promise<void> {
  const run = await findRun(world, repository.id, of);
  const policy = await loadPolicy(world, repository);
  await judgeRuler(world, { name: sender.login, through: 'github' }, { repository, policy, environments: environmentsAsked(run) });
  if (verb === 'undo') return void (await undoRun(world, run, { start: id, triggeredBy: sender.login }));
  if ((await cancelRun(world, run, { name: sender.login })) === 'stopped') return;
  const message = `Run ${run.id.slice(0, 12)} is on its way to its end already: nothing more of it starts, and nothing of it was stopped.`;
  throw new LockkeeperError({ code: 'RUN_OVER', message });
}
