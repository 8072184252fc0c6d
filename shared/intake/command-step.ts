import { type CommandIntake, commandIntake } from '../../events/command-intake.ts';
import type { Said } from '../../events/said.ts';
import { LockkeeperError, type Problem, problemOf } from '../errors/error.ts';
import { sayFreeze } from '../freeze/say-freeze.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { confirmLine } from '../rulings/confirm-line.ts';
import { optionsOfSaid, ruleLine } from '../rulings/rule-line.ts';
import type { Ruler } from '../rulings/ruling.ts';
import { judgeRemover, judgeRuler } from '../rulings/who-may-rule.ts';
import { cancelRun, environmentsAsked } from '../run/cancel.ts';
import { createRun, type NewRun } from '../run/create-run.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { takenBy } from '../run/prepare-removal.ts';
import { retryRun } from '../run/retry.ts';
import { runScope } from '../run/run-scope.ts';
import { readRun } from '../run/run-store.ts';
import { runThatUndoes, undoRun } from '../run/undo.ts';
import type { ControlWorld } from '../run/world.ts';
import { equal } from '../table/condition.ts';
import { commandKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { judgeCaller, repositoryOfCommand } from './command-caller.ts';
import { runOfCommand } from './command-run.ts';
import { scanOfCommand } from './command-scan.ts';

/**
 * The intake step of a person's command (P6): one run of one plan in one environment, create-only under a hash of the command, or
 * the reason why there is none. Whoever typed it reads the answer from the item.
 *
 *     createRun ──▶ crash here: repeated, the same hash finds the run that is there
 *     answer    ──▶ lost: repeated, it says the same
 */
export async function commandStep(world: ControlWorld, id: string): Promise<void> {
  const item = await world.table.get(commandKey(id));
  if (!item) return world.log.warn('a message names nothing that is recorded', { run: id });
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const command = commandIntake.parse(attributes);
  if (command.status !== 'recorded') return;
  const answer = await answerTo(world, command);
  await answerCommand(world, command.id, 'done', answer);
}

/** What a command came to, written once: the first answer stands. */
export async function answerCommand(
  world: Pick<ControlWorld, 'table' | 'ids'>,
  id: string,
  status: 'done' | 'died',
  answer: { readonly run?: string } | { readonly problem: Problem },
): Promise<void> {
  await write(world, commandKey(id), { set: { status, ...answer }, remove: ['since'] }, equal('status', 'recorded'));
}

async function answerTo(world: ControlWorld, command: CommandIntake): Promise<{ run?: string } | { problem: Problem }> {
  try {
    const run = await start(world, command);
    return run === undefined ? {} : { run };
  } catch (error) {
    const problem = problemOf(error);
    if (triedAgain.has(problem.code)) throw error;
    return { problem: { ...problem, message: world.redactor.mask(problem.message) } };
  }
}

/** @returns the run that comes of it; undefined: none does, and none was asked for. */
async function start(world: ControlWorld, command: CommandIntake): Promise<string | undefined> {
  const repository = await repositoryOfCommand(world, command);
  const policy = await loadPolicy(world, repository);
  judgeCaller(policy, command);
  const { intent, said } = command;
  if (said?.verb === 'confirm') return confirmed(world, repository, policy, command, said.line);
  if (intent === 'freeze' || intent === 'unfreeze') return frozen(world, repository, policy, command);
  if (intent === 'drift') return scanOfCommand(world, repository, policy, command);
  if (intent !== 'retry' && intent !== 'cancel' && intent !== 'undo') {
    const run = await runOfCommand(world, repository, policy, { ...command, intent });
    if (run.intent === 'destroy' || run.intent === 'prune') await mayRemove(world, policy, run, rulerOf(command.person));
    return createRun(world, command.id, said ? await ruled(world, command, run, said) : run);
  }
  const again = await readRun(world.table, command.again ?? '');
  if (again?.repository.id !== repository.id) throw new LockkeeperError({ code: 'NOT_FOUND', message: `There is no run ${command.again} of this repository.` });
  const by = rulerOf(command.person);
  if (intent === 'cancel') {
    await judgeRuler(world, by, { repository, policy, environments: environmentsAsked(again) });
    await cancelRun(world, again, { name: by.name });
    return again.id;
  }
  if (intent === 'undo') {
    const undoing = runThatUndoes(again);
    await mayRemove(world, policy, undoing, by);
    return undoRun(world, again, { start: command.id, triggeredBy: command.person.name });
  }
  if (again.intent === 'destroy' || again.intent === 'prune') await mayRemove(world, policy, again, by);
  return retryRun(world, again, command.id, command.person.name);
}

/** A confirmation starts nothing: the run that showed the step goes on, a destroy of what is closed and gone as well. */
async function confirmed(world: ControlWorld, repository: Repository, policy: Policy, command: CommandIntake, line: string): Promise<string> {
  const where = await runOfCommand(world, repository, policy, { ...command, intent: 'destroy' });
  const { id, person, receivedAt } = command;
  return confirmLine(world, runScope(where), line, { by: rulerOf(person), start: id, at: receivedAt });
}

/** Who may say so: an approver of a protected environment, elsewhere whoever may push. */
async function frozen(
  world: ControlWorld,
  repository: Repository,
  policy: Policy,
  { id, environment, person, receivedAt, freeze }: CommandIntake,
): Promise<undefined> {
  const by = rulerOf(person);
  await judgeRuler(world, by, { repository, policy, environments: [environment] });
  await sayFreeze(world, { policy, repository, environment }, freeze ? { ...freeze, reason: world.redactor.mask(freeze.reason) } : 'thaw', {
    by,
    start: id,
    at: receivedAt,
  });
  world.log.info(freeze ? 'an environment was frozen' : 'a freeze was taken back', { environment, repository: repository.id, by: by.name });
  return undefined;
}

/** Who has something protected removed is judged before the run is made; the run asks about it all the same. */
async function mayRemove(world: ControlWorld, policy: Policy, run: NewRun, by: Ruler): Promise<void> {
  if (run.intent === 'prune' && !run.options.confirmed) return;
  await judgeRemover(world, by, run, policy, takenBy(run, await readLedger(world.table, runScope(run))));
}

const rulerOf = ({ name, principal }: CommandIntake['person']): Ruler => ({ name: name ?? '', through: 'aws', principal });

/** What a person says about a line is recorded before the run that shows what comes of it. */
async function ruled(world: ControlWorld, { id, person, receivedAt }: CommandIntake, run: NewRun, said: Said): Promise<NewRun> {
  await ruleLine(world, run, said, rulerOf(person), id, receivedAt);
  return { ...run, options: optionsOfSaid(run.options, said) };
}

/** Whatever passes by itself. A person waits for the answer: everything else is told at once. */
const triedAgain: ReadonlySet<string> = new Set(['PROVIDER_AGAIN', 'PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT', 'STORE_UNREACHABLE', 'INTERNAL']);
