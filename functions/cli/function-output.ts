import type { Console } from './console.ts';

/**
 * What functions and emulators print is not the command's result: they run in this process and write to its stdout, as they do
 * in AWS. It is shown on stderr when somebody debugs, and errors always; the rest is told by report and run log.
 *
 * @returns where the emulators log.
 */
export function functionOutput(stdout: NodeJS.WriteStream, console: Pick<Console, 'note'>, debug: boolean): (message: string, error?: unknown) => void {
  const passOn = stdout.write.bind(stdout);
  const take = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    for (const line of text.split('\n').filter((one) => one !== '')) if (debug || isError(line)) console.note(debug ? line : shortened(line));
    const done = rest.find((one) => typeof one === 'function');
    return passOn('', ...(done ? [done as () => void] : []));
  };
  stdout.write = take as typeof stdout.write;
  return (message, error) => {
    if (debug) console.note(error === undefined ? message : `${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
}

interface LogLine {
  readonly level?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
}

const parsed = (line: string): LogLine => {
  try {
    return (JSON.parse(line) as LogLine | null) ?? {};
  } catch {
    return {};
  }
};

const isError = (line: string): boolean => parsed(line).level === 'error';

function shortened(line: string): string {
  const { message, code } = parsed(line);
  return `${String(message)}${code === undefined ? '' : ` (${String(code)})`}. LOCKKEEPER_DEBUG=1 shows more.`;
}
