import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readEngines } from '../../shared/drift/readers/engines.ts';
import { reads } from '../../shared/drift/record.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { didYouMean } from '../../shared/errors/nearest.ts';
import { type CommandName, commands, type Invocation } from './invocation.ts';

/** What a command line comes to: something to do, or a text to print (help, version). */
export type CommandLine = { readonly invocation: Invocation } | { readonly text: string };

/**
 * Parses the arguments after the program's name. Flags may stand before and after the command.
 *
 * @throws LockkeeperError USAGE, with the nearest command or flag where there is one.
 */
export function parseCommandLine(argv: readonly string[], version: string): CommandLine {
  let invocation: Invocation | undefined;
  const printed: string[] = [];
  const program = programOf(version, (parsed) => {
    invocation = parsed;
  });
  for (const each of [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)]) {
    each
      .exitOverride()
      .showSuggestionAfterError(false)
      .configureOutput({ writeOut: (part) => void printed.push(part), writeErr: () => undefined })
      .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: (command) => (command === program ? [] : [...program.options]) });
  }
  if (argv.length === 0) return { text: program.helpInformation() };
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usage(error, argv, program);
  }
  if (invocation) return { invocation };
  return { text: printed.join('') };
}

/** The command among the arguments, for the answer to arguments that do not parse. */
export const commandIn = (argv: readonly string[]): CommandName | null =>
  (argv.find((word) => Object.hasOwn(commands, word)) as CommandName | undefined) ?? null;

function programOf(version: string, parsed: (invocation: Invocation) => void): Command {
  const program = new Command('lockkeeper')
    .description('Plans, applies and undoes release.plan.yaml, line by line, and leaves a receipt.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--plan <file>', 'plan file', 'release.plan.yaml')
    .option('--env <name>', 'environment (default: LOCKKEEPER_CTX_ENV, else preview; `drift` guesses none where there are several)')
    .option('--pr <number>', 'pull request', positive)
    .option('--branch <name>', 'branch')
    .option('--sha <commit>', 'commit')
    .option('--json', 'print one JSON document', false)
    .option('--state-dir <folder>', 'where the embedded stack keeps its state', '.lockkeeper')
    .option('--sim', 'run against the fake cloud: no account, no credential, nothing real is touched', false)
    .option('--stack <name>', 'the deployed stack that does it, by its CloudFormation name')
    .option('--local', 'do it on this machine although the repository names a stack', false)
    .option('--concurrency <number>', 'lines worked on at a time', positive)
    .addHelpText('after', '\nPull request, branch and commit come from the flags, LOCKKEEPER_CTX_*, the CI host, or git, in this order.');
  for (const [name, says] of Object.entries(commands)) {
    const command = program.command(name).description(says).helpOption('-h, --help', 'print this help').allowExcessArguments(false);
    if (name === 'init') {
      command
        .option('--adopt <name>', 'take over this resource, by key, label or id; may be given several times', collected)
        .option('--dry-run', 'show what would be written', false);
    }
    if (name === 'plan' || name === 'apply') command.option('--reconcile', 'overwrite what was edited outside', false);
    if (name === 'apply') {
      command
        .option('--wait', 'stay until what lines wait for has happened, or another run has given its lease back', false)
        .option('--wait-timeout <seconds>', 'for how long', positive, 600);
    }
    if (name === 'apply' || name === 'plan')
      command.option('--recreate <line>', 'delete what this line made, and make it anew; may be given several times', collected);
    if (name === 'receipt') command.argument('[run]', 'id of a run, or its beginning');
    if (name === 'show') command.argument('[digest]', 'digest of a plan, or at least its first 12 digits');
    if (name === 'diff') command.argument('<digest>', 'digest of a plan, or at least its first 12 digits').argument('<other>', 'the later one');
    if (['log', 'retry', 'cancel', 'undo'].includes(name)) command.argument('<run>', 'id of a run, or its beginning');
    if (name === 'words') command.argument('<run>', 'id of a run, or its beginning').argument('<line>', 'id of a line in the plan file');
    if (name === 'approve' || name === 'reject' || name === 'withdraw') command.argument('<digest>', 'digest of a plan, or at least its first 12 digits');
    if (['adopt', 'accept', 'reconcile', 'absorb', 'recreate', 'confirm'].includes(name)) command.argument('<line>', 'id of a line in the plan file');
    if (name === 'accept') {
      command.requiredOption('--until <when>', 'a day as 2027-01-31, a moment, or a duration as 7d').requiredOption('--reason <text>', 'why it is left');
    }
    if (name === 'freeze' || name === 'unfreeze') command.argument('<environment>', 'the environment');
    if (name === 'freeze') {
      command
        .requiredOption('--until <when>', 'a day as 2027-01-31, a moment, or a duration as 3d; at most 30 days')
        .requiredOption('--reason <text>', 'why nothing is applied');
    }
    if (name === 'prune') command.argument('[line]', 'the line whose orphans are removed').option('--all', 'remove the orphans of every line');
    if (name === 'recover') command.option('--yes', 'do what is shown');
    if (name === 'drift') ingestCommand(readingOptions(command), parsed);
    command.action(() => parsed(invocationOf(name as CommandName, command)));
  }
  return program;
}

/** The flags of a drift read. */
function readingOptions(command: Command): Command {
  return command
    .option('--member <name>', 'the plan, by its name in lockkeeper.yaml, needed where there are several; or a line that is a stack')
    .addOption(
      new Option('--read <read>', 'live-read: what is at the providers now; state: what is recorded; of a stack: state or plan, or refresh of Pulumi').choices(
        reads,
      ),
    )
    .option('--resource <address>', 'one resource alone, as its record names it, or one line')
    .option('--components', 'of other engines alone; refused here')
    .option('--show <type#path>', 'of a stack: show the values of this attribute and of what is below it; may be given several times', collected)
    .option('--stream', 'print one record a line as NDJSON, in place of one document')
    .option('--text', 'print a list for people, in a pipe too; a terminal gets it unasked')
    .option('-o, --output <file>', 'write the document, or the stream, to this file')
    .option('--fail-on-drift', 'exit with 1 when something drifted, is missing, or is there unclaimed')
    .addHelpText('after', '\nWhere a plan has several environments, --env has no default. What it prints, and how to use it in CI: docs/drift.md.');
}

/** The command below `drift` that reads what another tool printed. It refuses those of a read, which the parser lets pass. */
function ingestCommand(drift: Command, parsed: (invocation: Invocation) => void): void {
  const command = drift.command('ingest');
  command
    .description('Read what another tool printed, recognise its kind, and print one record per resource. Changes nothing, and asks nobody.')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .argument('<file>', 'what the tool printed; - for stdin')
    .option('--member <name>', 'the member of the workspace it is of: the input does not say')
    .addOption(new Option('--engine <engine>', 'the tool, where the input does not say it').choices(readEngines))
    .option('--beside <file>', 'a second document that belongs to it: the listing, or the plan, beside a choudoufu live plan')
    .option('--show <type#path>', 'show the values of this attribute and of what is below it; may be given several times', collected)
    .option('--stream', 'print one record a line as NDJSON, in place of one document')
    .option('--text', 'print a list for people, in a pipe too; a terminal gets it unasked')
    .option('-o, --output <file>', 'write the document, or the stream, to this file')
    .option('--fail-on-drift', 'exit with 1 when something drifted, is missing, or is there unclaimed')
    .addHelpText(
      'after',
      '\nIt reads plans and states of `terraform` or `tofu show -json`, `pulumi refresh --preview-only --json`, and more: docs/drift.md.\nWith --env, what lockkeeper.yaml lists under `drift.show` of that environment may be shown as well.',
    )
    .action((ingest: string) => parsed({ ...invocationOf('drift', command), ingest }));
}

function invocationOf(name: CommandName, command: Command): Invocation {
  const [named, other] = command.args;
  const flags = command.optsWithGlobals<Omit<Invocation, 'command' | 'run' | 'digest' | 'other' | 'line' | 'reconcile'>>();
  const second = other === undefined ? {} : { other };
  if (argumentOf[name] === 'env' && flags.env !== undefined && flags.env !== named) throw otherEnvironment(name, flags.env, named);
  return { reconcile: false, ...flags, command: name, ...(named === undefined ? {} : { [argumentOf[name] ?? 'run']: named }), ...second };
}

/** Which of the two was meant nobody knows. */
function otherEnvironment(name: CommandName, flag: string, named = ''): LockkeeperError {
  const message = `${name} is told of ${named}, and by --env of ${flag}.`;
  return new LockkeeperError({ code: 'USAGE', message, hint: `Name one environment: \`lockkeeper ${name} <environment>\`.` });
}

/** What the first argument of a command is, where it is no run. */
const argumentOf: Partial<Record<CommandName, 'digest' | 'line' | 'env'>> = {
  approve: 'digest',
  reject: 'digest',
  show: 'digest',
  diff: 'digest',
  withdraw: 'digest',
  adopt: 'line',
  accept: 'line',
  prune: 'line',
  reconcile: 'line',
  absorb: 'line',
  recreate: 'line',
  confirm: 'line',
  freeze: 'env',
  unfreeze: 'env',
};

const collected = (name: string, before: readonly string[] = []): readonly string[] => [...before, name];

function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

/** The parser's refusal in one sentence, with what was probably meant. */
function usage(error: CommanderError, argv: readonly string[], program: Command): LockkeeperError {
  if (error.code === 'commander.help') {
    return new LockkeeperError({
      code: 'USAGE',
      message: 'There is no command.',
      hint: `Use one of ${Object.keys(commands).join(', ')}; \`lockkeeper --help\` says what each does.`,
    });
  }
  const message = error.message.replace(/^error: /, '').replace(/\n[\s\S]*$/, '');
  const word = /unknown (?:option|command) '([^']*)'/.exec(message)?.[1];
  const command = program.commands.find((one) => one.name() === commandIn(argv));
  const flags = [program, ...(command ? [command] : [])].flatMap((one) => one.options.map((option) => option.long ?? ''));
  const guess = word === undefined ? '' : didYouMean(word, word.startsWith('-') ? [...flags, '--help'] : Object.keys(commands));
  const hint = `Run \`lockkeeper ${command ? `${command.name()} ` : ''}--help\`.`;
  return new LockkeeperError({ code: 'USAGE', message: `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${guess}.`.replace(/\.\.$/, '.'), hint });
}
