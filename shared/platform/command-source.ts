import type { Redactor } from '../redact/redactor.ts';
import type { Scheme, SecretReference } from '../secrets/reference.ts';
import type { Resolution, SecretSource } from '../secrets/source.ts';
import type { Environment } from './clients.ts';
import { type CommandEnd, runCommand } from './command.ts';

export interface CommandSourceOptions {
  readonly environment: Environment;
  /** Until a command is killed, ms. */
  readonly timeoutMs: number;
  /** Knows what a failed command may have said of the secret. */
  readonly redactor: Pick<Redactor, 'register' | 'mask'>;
}

/** How a scheme is asked for: the program and its arguments, and which variables of the process it sees beside the usual ones. */
interface Asked {
  readonly program: string;
  readonly install: string;
  readonly variables: string;
  args(reference: SecretReference): readonly string[] | undefined;
}

const asked: Readonly<Partial<Record<Scheme, Asked>>> = {
  doppler: {
    program: 'doppler',
    install: 'https://docs.doppler.com/docs/install-cli',
    variables: 'DOPPLER_',
    args: (reference) =>
      reference.scheme === 'doppler' ? ['secrets', 'get', reference.name, '--plain', '--project', reference.project, '--config', reference.config] : undefined,
  },
  op: {
    program: 'op',
    install: 'https://developer.1password.com/docs/cli/get-started',
    variables: 'OP_',
    args: (reference) => (reference.scheme === 'op' ? ['read', reference.address, '--no-newline'] : undefined),
  },
};

/** What any program needs to find itself, its settings and the network. Credentials of providers are none of a secret manager's business. */
const usual = /^(PATH|HOME|USER|LOGNAME|TMPDIR|LANG|LC_ALL|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|SSL_CERT_\w+|(https?|no|all)_proxy)$/i;

/**
 * `doppler://` and `op://` by the commands of the same name on a person's machine, which know how to sign in. Arguments are passed as
 * they are, without a shell. One whose time was up is not started again by the same source: it waits for somebody, and the others would too.
 */
export function commandSource(scheme: 'doppler' | 'op', options: CommandSourceOptions): SecretSource {
  const { program, install, variables, args } = asked[scheme] as Asked;
  const seen = Object.entries(options.environment).filter(([name]) => usual.test(name) || name.startsWith(variables));
  let hung = false;

  function wordsOf(ended: CommandEnd): string {
    switch (ended.end) {
      case 'missing':
        return `the command ${program} is not installed, or not on the PATH: ${install}`;
      case 'not-executable':
        return `the command ${program} was found and cannot be executed: look at its permissions`;
      case 'timed-out':
        return `the command ${program} did not answer within ${options.timeoutMs / 1000} s and was stopped: sign in to it first`;
      case 'too-large':
        return `the command ${program} gave more than 1 MiB and was stopped`;
      case 'failed':
        return `the command ${program} failed (${ended.exit})${said(ended)}`;
      case 'output':
        return `the command ${program} gave nothing`;
    }
  }

  /** What it wrote to the output it wrote about the secret; a session's key has no name that tells it from a setting. */
  function said({ bytes, stderr }: Extract<CommandEnd, { end: 'failed' }>): string {
    for (const [name, value] of seen) if (/^(OP|DOPPLER)_\w*(SESSION|TOKEN|SECRET|KEY|PASS)/.test(name)) options.redactor.register(value ?? '', name);
    options.redactor.register(bytes.toString('utf8').trim(), `what ${program} wrote`);
    const flat = options.redactor.mask(stderr).replace(/\s+/g, ' ').trim();
    return flat === '' ? '' : `: ${flat.slice(0, 300)}`;
  }

  async function resolve(_environment: string, reference: SecretReference): Promise<Resolution> {
    const given = args(reference);
    if (given === undefined) return { found: false, why: `${reference.scheme}:// is not asked of ${program}` };
    if (hung) return { found: false, why: wordsOf({ end: 'timed-out' }) };
    const ended = await runCommand({ program, args: given, environment: Object.fromEntries(seen), timeoutMs: options.timeoutMs });
    if (ended.end === 'timed-out') hung = true;
    if (ended.end !== 'output') return { found: false, why: wordsOf(ended) };
    const value = textOf(ended.bytes);
    if (value === undefined) return { found: false, why: `what ${program} gave is no text` };
    return value === '' ? { found: false, why: wordsOf(ended) } : { found: true, value };
  }

  return { resolve };
}

/** Without the one line end that a command writes after what it was asked for. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
