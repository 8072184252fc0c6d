import { appendFileSync } from 'node:fs';

/** What functions print while the story is told: kept in a file, away from the telling. */
export interface FunctionLog {
  readonly file: string;
  /** Writes to the real standard output, which is the story's own. */
  print(text: string): void;
  note(message: string, error?: unknown): void;
  restore(): void;
}

/** From now on whatever is written to standard output in this process goes to `file`: the embedded functions log there. */
export function divertOutput(file: string): FunctionLog {
  const original = process.stdout.write;
  const print = original.bind(process.stdout);
  appendFileSync(file, '');
  process.stdout.write = ((chunk: string | Uint8Array) => {
    appendFileSync(file, chunk);
    return true;
  }) as typeof process.stdout.write;
  return {
    file,
    print: (text) => void print(text),
    note: (message, error) => appendFileSync(file, `${message}${error === undefined ? '' : ` ${error instanceof Error ? error.stack : String(error)}`}\n`),
    restore: () => {
      process.stdout.write = original;
    },
  };
}
