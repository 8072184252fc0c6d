import { appendFileSync, readFileSync } from 'node:fs';

/** One line of the journal: an invocation began, with the messages it got, or ended. */
export type Entry =
  | { readonly at: 'begin'; readonly id: string; readonly entry: string; readonly pid: number; readonly bodies: readonly string[] }
  | { readonly at: 'end'; readonly id: string; readonly handedBack: boolean };

/** An invocation, as the journal tells it. `over`: it ended, or its process is gone. */
export interface Invocation {
  readonly id: string;
  readonly entry: string;
  readonly pid: number;
  readonly bodies: readonly string[];
  readonly over: boolean;
  /** Its message goes back to the queue. */
  readonly handedBack: boolean;
}

/** Every invocation, in whatever process it ran: a file that each of them appends to. */
export interface Journal {
  readonly file: string;
  invocations(): Invocation[];
}

export function openJournal(file: string): Journal {
  appendFileSync(file, '');
  return { file, invocations: () => read(file) };
}

function read(file: string): Invocation[] {
  const entries = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
  const ends = new Map(entries.flatMap((entry) => (entry.at === 'end' ? [[entry.id, entry]] : [])));
  return entries.flatMap((entry) => {
    if (entry.at === 'end') return [];
    const end = ends.get(entry.id);
    return [{ ...entry, over: end !== undefined || !isAlive(entry.pid), handedBack: end?.handedBack ?? false }];
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

type Handler = (event: never, context: never, ...rest: never[]) => unknown;

/** The same handler, with its invocations noted. */
export function journaled(file: string, entry: string, handler: Handler): Handler {
  return async (event: never, context: never) => {
    const id = (context as { awsRequestId: string }).awsRequestId;
    const records = (event as { Records?: { body: string }[] }).Records ?? [];
    note(file, { at: 'begin', id, entry, pid: process.pid, bodies: records.map((record) => record.body) });
    let handedBack = true;
    try {
      const answer = await handler(event, context);
      handedBack = ((answer as { batchItemFailures?: unknown[] } | undefined)?.batchItemFailures ?? []).length > 0;
      return answer;
    } finally {
      note(file, { at: 'end', id, handedBack });
    }
  };
}

const note = (file: string, entry: Entry): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
