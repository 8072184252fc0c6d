import { readQuestion } from '../approvals/question.ts';
import { isRechecking, type Run } from './items.ts';
import type { ControlWorld } from './world.ts';

/** A task token that a run keeps until it knows what to answer. */
export interface Waiting {
  readonly token: string;
  /** When the state of the token was entered. */
  readonly entered: string;
}

type MachineWorld = Pick<ControlWorld, 'machine' | 'clock' | 'table'>;

/** The answer that lets the machine go to its question, for as long as that is open; a minute at least. */
export function toQuestion(world: Pick<ControlWorld, 'clock'>, run: Run): { readonly next: 'ask'; readonly expiresSeconds: number } {
  const left = (run.question?.expiresAt ?? 0) - world.clock.now();
  return { next: 'ask', expiresSeconds: Math.max(60, Math.ceil(left / 1000)) };
}

/**
 * Answers the states that wait for something the run has left behind: whoever should have told them died in between. Asked before each
 * step; "gone" means that somebody told them. Returns the tokens that are done with.
 */
export async function tellMachine(world: MachineWorld, run: Run): Promise<readonly ('guard' | 'replan')[]> {
  const told: ('guard' | 'replan')[] = [];
  const tell = async (name: 'guard' | 'replan', answer: object | undefined): Promise<void> => {
    const waiting = run[name];
    if (waiting === undefined || answer === undefined) return;
    await world.machine.succeed(waiting.token, { ...answer });
    told.push(name);
  };
  await tell('guard', answerOfGuard(run));
  await tell('replan', answerOfReplan(world, run));
  return told;
}

function answerOfGuard(run: Run): object | undefined {
  const { phase } = run;
  if (phase === 'guarding' || isRechecking(run)) return undefined;
  return phase === 'preparing' || phase === 'planning' || phase === 'awaiting' ? { next: 'replan' } : { next: 'done' };
}

function answerOfReplan(world: Pick<ControlWorld, 'clock'>, run: Run): object | undefined {
  if (run.phase === 'preparing' || run.phase === 'planning') return undefined;
  return run.phase === 'awaiting' ? toQuestion(world, run) : { next: 'done' };
}

/** Lets every state go that waits for a run which has ended, its question included. */
export async function dismissMachine(world: MachineWorld, run: Run): Promise<void> {
  await tellMachine(world, run);
  if (!run.question) return;
  const question = await readQuestion(world.table, run.question.digest, run.id, run.question.q);
  if (question?.token !== undefined) await world.machine.succeed(question.token, { next: 'done' });
}
