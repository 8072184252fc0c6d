import { setTimeout } from 'node:timers/promises';
import { type CommandIntake, commandIntake } from '../../../events/command-intake.ts';
import { codes } from '../../../shared/errors/codes.ts';
import { LockkeeperError, type Problem } from '../../../shared/errors/error.ts';
import { runLifetime } from '../../../shared/run/run-log.ts';
import { absent } from '../../../shared/table/condition.ts';
import { commandIdOf, commandKey } from '../../../shared/table/keys.ts';
import { write } from '../../../shared/table/write.ts';
import type { Store } from '../folder/store.ts';
import { Interrupted } from '../interrupted.ts';
import type { Patience } from '../runs/await-run.ts';

/** What a command asks of a stack. */
export type Asked = Pick<
  CommandIntake,
  | 'intent'
  | 'again'
  | 'path'
  | 'environment'
  | 'branch'
  | 'commit'
  | 'pullRequest'
  | 'reconcile'
  | 'recreate'
  | 'only'
  | 'confirmed'
  | 'said'
  | 'freeze'
  | 'person'
> & {
  readonly owner: string;
  readonly name: string;
};

/** What code that knows format 1 alone must not take for something else. */
const newerIntents: ReadonlySet<CommandIntake['intent']> = new Set(['prune', 'recover', 'cancel', 'undo', 'freeze', 'unfreeze', 'drift']);

type Ports = Pick<Store, 'table' | 'queues' | 'ids' | 'clock'>;

/**
 * Records what is asked for and queues it, as a webhook does (P6); the rest is the controller's. A death in between loses nothing: the
 * schedule finds what was recorded and never queued.
 *
 * @returns the command's id.
 */
export async function recordCommand(ports: Ports, { owner, name, ...asked }: Asked): Promise<string> {
  const id = commandIdOf(ports.ids.fresh());
  const now = ports.clock.now();
  const receivedAt = new Date(now).toISOString();
  const repository = { id: `${owner}/${name}`.toLowerCase(), owner, name };
  const format = asked.said || newerIntents.has(asked.intent) ? 2 : 1;
  const fixed = { format, kind: 'command', id, repository, ...asked } as const;
  const put = { ...fixed, receivedAt, status: 'recorded', since: receivedAt, ttl: Math.floor(now / 1000) + runLifetime } as const;
  await write(ports, commandKey(id), { put }, absent);
  await ports.queues.control({ format: 1, run: id, group: repository.id });
  return id;
}

const lookEveryMs = 300;

/**
 * Waits until the stack has said which run a command became.
 *
 * @throws LockkeeperError with the stack's answer when it started none. @throws Interrupted: the command stays asked for.
 */
export async function startedRun(store: Pick<Store, 'table'>, id: string, patience: Patience): Promise<string> {
  const { run } = await doneCommand(store, id, patience);
  if (run === undefined) throw new LockkeeperError({ code: 'INTERNAL', message: `The stack carried out command ${id} and started no run.` });
  return run;
}

/**
 * Waits until the stack has carried out a command.
 *
 * @throws LockkeeperError with the stack's answer when it did not. @throws Interrupted: the command stays asked for.
 */
export async function doneCommand({ table }: Pick<Store, 'table'>, id: string, { progress, signal }: Patience): Promise<CommandIntake> {
  for (;;) {
    progress.show('Waiting for the stack', `command ${id}`);
    const command = await readCommand(table, id);
    if (command.problem) throw answered(command.problem);
    if (command.status !== 'recorded') return command;
    if (signal.aborted) throw new Interrupted(undefined, `The stack has been asked all the same (command ${id}): look for its run with \`lockkeeper runs\`.`);
    await setTimeout(lookEveryMs);
  }
}

/** A newer stack may answer with a code that this command does not know. */
const answered = (problem: NonNullable<CommandIntake['problem']>): LockkeeperError =>
  new LockkeeperError(Object.hasOwn(codes, problem.code) ? (problem as Problem) : { code: 'INTERNAL', message: `${problem.code}: ${problem.message}` });

async function readCommand(table: Store['table'], id: string): Promise<CommandIntake> {
  const item = await table.get(commandKey(id));
  if (!item) throw new LockkeeperError({ code: 'NOT_FOUND', message: `The stack does not know command ${id} any more.` });
  const { pk: _pk, sk: _sk, ...attributes } = item;
  return commandIntake.parse(attributes);
}
