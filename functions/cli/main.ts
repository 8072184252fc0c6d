import { readFileSync } from 'node:fs';
import { codes } from '../../shared/errors/codes.ts';
import { type Problem, problemOf } from '../../shared/errors/error.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import type { Answer } from './answer.ts';
import { commandIn, parseCommandLine } from './command-line.ts';
import { absorbCommand } from './commands/absorb.ts';
import { cancelCommand } from './commands/cancel.ts';
import { confirmCommand } from './commands/confirm.ts';
import { doctor } from './commands/doctor.ts';
import { driftCommand } from './commands/drift.ts';
import { freezeCommand } from './commands/freeze.ts';
import { initCommand } from './commands/init.ts';
import { type LookCommand, lookCommand } from './commands/look.ts';
import { retryCommand } from './commands/retry.ts';
import { runCommand } from './commands/run.ts';
import { undoCommand } from './commands/undo.ts';
import { validate } from './commands/validate.ts';
import { verdictCommand } from './commands/verdict.ts';
import { withdrawCommand } from './commands/withdraw.ts';
import { type Console, createConsole } from './console.ts';
import { atHome } from './context/home-folder.ts';
import { ingestCommand } from './drift/ingest.ts';
import { envelopeOf, failureEnvelope } from './envelope.ts';
import { interruptedExit } from './exit-code.ts';
import { functionOutput } from './function-output.ts';
import { Interrupted } from './interrupted.ts';
import { type CommandName, type Invocation, type LineCommand, type RunCommand, saidOf } from './invocation.ts';
import { errorText } from './problem-text.ts';
import { onInterrupt } from './signals.ts';
import { aboutRunOnStack } from './stack/about-run.ts';
import { judgeWhere } from './stack/flags.ts';
import { freezeOnStack } from './stack/freeze.ts';
import { runOnStack } from './stack/run.ts';
import { verdictOnStack } from './stack/verdict.ts';
import { withdrawOnStack } from './stack/withdraw.ts';
import type { Surroundings } from './surroundings.ts';
import { withFlags } from './typed.ts';

/** The command line: parses, performs, prints, and exits with the code that says how it went. */
async function main(argv: readonly string[]): Promise<number> {
  const redactor = createRedactor();
  redactor.registerEnvironment(process.env);
  const [stdout, stderr] = [way(process.stdout), way(process.stderr)];
  const console = createConsole({ stdout, stderr, redactor, colour: !process.env['NO_COLOR'] });
  const debug = process.env['LOCKKEEPER_DEBUG'] === '1';
  const json = argv.includes('--json');
  const log = functionOutput(process.stdout, console, debug);
  const surroundings = { cwd: process.cwd(), environment: process.env, console, redactor, signal: onInterrupt(console), log };
  try {
    return await perform(argv, surroundings);
  } catch (error) {
    if (error instanceof Interrupted) return stopped(argv, console, json, error);
    if (debug) console.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return failed(commandIn(argv), console, json, pasteable(problemOf(error), argv));
  } finally {
    console.end();
  }
}

/** The problem with a hint that can be pasted. */
const pasteable = (problem: Problem, argv: readonly string[]): Problem => ({ ...problem, hint: asTyped(problem.hint ?? codes[problem.code].hint, argv) });

/** A text with its commands as they are to be typed: with the flags that were. A command line that did not parse has none. */
function asTyped(text: string, argv: readonly string[]): string {
  try {
    const parsed = parseCommandLine(argv, packageVersion());
    return 'invocation' in parsed ? withFlags(text, parsed.invocation) : text;
  } catch {
    return text;
  }
}

async function perform(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { console } = surroundings;
  const parsed = parseCommandLine(argv, packageVersion());
  if ('text' in parsed) {
    console.result(parsed.text);
    return 0;
  }
  const { invocation, cwd } = atHome(surroundings.cwd, parsed.invocation);
  const answer = await commandOf(invocation, { ...surroundings, cwd });
  if (invocation.json) console.document(envelopeOf(invocation.command, answer));
  else for (const piece of answer.pieces?.(console.screen) ?? [answer.text(console.screen)]) console.result(piece);
  return answer.exit;
}

async function commandOf(invocation: Invocation, surroundings: Surroundings): Promise<Answer> {
  const { command, stack } = invocation;
  if (invocation.ingest !== undefined) return ingestCommand(invocation, surroundings, packageVersion());
  if (command === 'init') return initCommand(invocation, surroundings, (plan) => commandOf(plan, surroundings));
  await judgeWhere(invocation, surroundings.cwd);
  if (command === 'validate') return validate(invocation, surroundings);
  if (command === 'doctor') return doctor(invocation, surroundings, packageVersion());
  if (command === 'absorb') return absorbCommand(invocation, surroundings);
  if (command === 'drift') return driftCommand(invocation, surroundings, packageVersion());
  if (stack !== undefined) return throughStack(invocation, stack, surroundings);
  if (isRunCommand(command)) return runCommand({ ...invocation, command }, surroundings);
  if (command === 'confirm') return confirmCommand(invocation, surroundings);
  if (isLineCommand(command)) return runCommand({ ...invocation, command: 'apply' }, surroundings, saidOf(invocation, command));
  if (command === 'approve' || command === 'reject') return verdictCommand({ ...invocation, command }, surroundings);
  if (command === 'withdraw') return withdrawCommand(invocation, surroundings);
  if (command === 'cancel') return cancelCommand(invocation, surroundings);
  if (command === 'undo') return undoCommand(invocation, surroundings);
  if (command === 'retry') return retryCommand(invocation, surroundings);
  if (command === 'freeze' || command === 'unfreeze') return freezeCommand({ ...invocation, command }, surroundings);
  return lookCommand({ ...invocation, command: command as LookCommand }, surroundings);
}

/** The same commands, carried out by a deployed stack. */
function throughStack(invocation: Invocation, stack: string, surroundings: Surroundings): Promise<Answer> {
  const { command } = invocation;
  if (isRunCommand(command)) return runOnStack({ ...invocation, command }, stack, surroundings);
  if (isLineCommand(command)) return runOnStack({ ...invocation, command: 'apply' }, stack, surroundings, saidOf(invocation, command));
  if (command === 'approve' || command === 'reject') return verdictOnStack({ ...invocation, command }, stack, surroundings);
  if (command === 'withdraw') return withdrawOnStack(invocation, stack, surroundings);
  if (command === 'retry' || command === 'cancel' || command === 'undo') return aboutRunOnStack({ ...invocation, command }, stack, surroundings);
  if (command === 'freeze' || command === 'unfreeze') return freezeOnStack({ ...invocation, command }, stack, surroundings);
  return lookCommand({ ...invocation, command: command as LookCommand }, surroundings);
}

const isRunCommand = (command: CommandName): command is RunCommand => ['plan', 'apply', 'destroy', 'prune', 'recover'].includes(command);

const isLineCommand = (command: CommandName): command is LineCommand => ['adopt', 'accept', 'reconcile', 'recreate', 'confirm'].includes(command);

function failed(command: CommandName | null, console: Console, json: boolean, problem: Problem): number {
  if (json) console.document(failureEnvelope(command, problem));
  else console.complain((screen) => errorText(problem, screen));
  return codes[problem.code].exit || 1;
}

function stopped(argv: readonly string[], console: Console, json: boolean, { run, hint: said }: Interrupted): number {
  const message = run !== undefined ? `Stopped; run ${run} stays where it is.` : said === undefined ? 'Stopped before a run was started.' : 'Stopped waiting.';
  const drop = run === undefined ? '' : ` \`lockkeeper cancel ${run.slice(0, 12)}\` drops it instead.`;
  const hint = asTyped(said ?? `The next command in this folder that sets something going finishes what was begun.${drop}`, argv);
  if (json) console.document(failureEnvelope(commandIn(argv), { code: 'INTERRUPTED', message, hint }));
  else console.note(`${message} ${hint}`);
  return interruptedExit;
}

/** One of the process's streams, as it is before anything else is made of it. */
const way = (stream: NodeJS.WriteStream) => ({ write: stream.write.bind(stream) as (text: string) => unknown, isTTY: stream.isTTY, columns: stream.columns });

const packageVersion = (): string => (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

process.stdout.on('error', leaveQuietly);
process.stderr.on('error', leaveQuietly);

/** The reader has gone, as `head` does. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

const exit = await main(process.argv.slice(2));
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))));
process.exit(exit);
