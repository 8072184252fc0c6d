import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { commandIn, parseCommandLine } from './command-line.ts';
import { commands } from './invocation.ts';

const parse = (...argv: string[]) => parseCommandLine(argv, '1.2.3');

/** What a command line is refused with. */
function refusal(...argv: string[]): { code: string; message: string; hint: string | undefined } {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof LockkeeperError) return { code: error.code, message: error.message, hint: error.problem.hint };
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a command line', () => {
  it('names one environment alone that is frozen', () => {
    const frozen = ['freeze', 'production', '--until', '3d', '--reason', 'year end'];
    expect(parse(...frozen, '--env', 'production')).toMatchObject({ invocation: { env: 'production' } });
    expect(refusal(...frozen, '--env', 'preview')).toMatchObject({ code: 'USAGE', message: expect.stringContaining('by --env of preview') });
  });

  it('has a default for whatever is not said', () => {
    expect(parse('plan')).toEqual({
      invocation: { command: 'plan', plan: 'release.plan.yaml', json: false, stateDir: '.lockkeeper', sim: false, local: false, reconcile: false },
    });
  });

  it('takes flags before and after the command', () => {
    const flags = [
      '--env',
      'preview',
      '--pr',
      '42',
      '--branch',
      'b',
      '--sha',
      'abc',
      '--plan',
      'p.yaml',
      '--state-dir',
      's',
      '--concurrency',
      '8',
      '--sim',
      '--json',
    ];
    const said = { env: 'preview', pr: 42, branch: 'b', sha: 'abc', plan: 'p.yaml', stateDir: 's', concurrency: 8, sim: true, json: true, local: false };
    expect(parse(...flags, 'apply', '--reconcile')).toEqual({ invocation: { command: 'apply', ...said, reconcile: true, wait: false, waitTimeout: 600 } });
    expect(parse('apply', '--reconcile', ...flags)).toEqual({ invocation: { command: 'apply', ...said, reconcile: true, wait: false, waitTimeout: 600 } });
  });

  it('names a run for receipt and log', () => {
    expect(parse('receipt')).not.toHaveProperty('invocation.run');
    expect(parse('receipt', 'abc123')).toHaveProperty('invocation.run', 'abc123');
    expect(parse('log', 'abc123')).toHaveProperty('invocation.run', 'abc123');
  });

  it('names a line for adopt, accept and reconcile; an acceptance has an end and a reason', () => {
    expect(parse('adopt', 'env')).toMatchObject({ invocation: { command: 'adopt', line: 'env' } });
    expect(parse('reconcile', 'env')).toMatchObject({ invocation: { command: 'reconcile', line: 'env', reconcile: false } });
    const accept = parse('accept', 'env', '--until', '7d', '--reason', 'the vendor asked');
    expect(accept).toMatchObject({ invocation: { command: 'accept', line: 'env', until: '7d', reason: 'the vendor asked' } });
    expect(refusal('accept', 'env', '--until', '7d')).toMatchObject({ code: 'USAGE', message: expect.stringContaining('--reason') });
    expect(refusal('adopt').code).toBe('USAGE');
  });

  it('names a run for retry, and a digest for approve and reject', () => {
    expect(parse('retry', 'abc123')).toHaveProperty('invocation.run', 'abc123');
    expect(parse('cancel', 'abc123')).toHaveProperty('invocation.run', 'abc123');
    expect(parse('undo', 'abc123')).toHaveProperty('invocation.run', 'abc123');
    expect(parse('withdraw', 'abc123')).toHaveProperty('invocation.digest', 'abc123');
    for (const command of ['approve', 'reject']) {
      expect(parse(command, 'abc123')).toHaveProperty('invocation.digest', 'abc123');
      expect(parse(command, 'abc123')).not.toHaveProperty('invocation.run');
    }
  });

  it.each([
    [['approve'], "Missing required argument 'digest'."],
    [['retry'], "Missing required argument 'run'."],
    [['aply'], "Unknown command 'aply' (did you mean `apply`?)."],
    [['apply', '--recncile'], "Unknown option '--recncile' (did you mean `--reconcile`?)."],
    [['plan', '--brnch', 'x'], "Unknown option '--brnch' (did you mean `--branch`?)."],
    [['destroy', '--reconcile'], "Unknown option '--reconcile'."],
    // A name that whoever runs the command types approves nothing.
    [['apply', '--approved-by', 'kim'], expect.stringContaining("Unknown option '--approved-by'")],
    [['destroy', '--approved-by', 'kim'], expect.stringContaining("Unknown option '--approved-by'")],
    [['frobnicate'], "Unknown command 'frobnicate'."],
    [['plan', '--pr', '0'], "Option '--pr <number>' argument '0' is invalid. It must be a whole number from 1 on."],
    [['plan', '--env'], "Option '--env <name>' argument missing."],
    [['log'], "Missing required argument 'run'."],
    [['validate', 'extra'], "Too many arguments for 'validate'. Expected 0 arguments but got 1: extra."],
    [['--sim'], 'There is no command.'],
  ])('%j is refused as USAGE: %s', (argv, message) => {
    expect(refusal(...argv)).toMatchObject({ code: 'USAGE', message });
  });

  it('says what there is to whoever types nothing', () => {
    expect(parseCommandLine([], '1.2.3')).toEqual({ text: expect.stringContaining('Usage: lockkeeper') });
  });

  it('sends whoever mistyped a flag to the help of that command', () => {
    expect(refusal('apply', '--x').hint).toBe('Run `lockkeeper apply --help`.');
    expect(refusal('aply').hint).toBe('Run `lockkeeper --help`.');
  });

  it('prints version and help instead of doing anything', () => {
    expect(parse('--version')).toEqual({ text: '1.2.3\n' });
    const { text } = parse('--help') as { text: string };
    for (const command of Object.keys(commands)) expect(text).toContain(command);
    expect((parse('apply', '--help') as { text: string }).text).toMatch(/Usage: lockkeeper apply[\s\S]*--reconcile[\s\S]*--state-dir/);
  });
});

describe('the command among arguments that do not parse', () => {
  it('is the first word that is one', () => {
    expect(commandIn(['--nothing', 'apply'])).toBe('apply');
    expect(commandIn(['--nothing', 'toString'])).toBeNull();
  });
});
