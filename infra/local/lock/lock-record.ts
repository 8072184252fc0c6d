import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Who uses a folder, and where to reach it. */
const recordSchema = z.object({
  pid: z.int(),
  /** ISO 8601. */
  startedAt: z.string(),
  command: z.string(),
  /** Loopback port of the holder's endpoint. */
  port: z.int(),
  /** Proves to the holder that the caller can read the folder. */
  token: z.string(),
  /** Which of all processes that ever had this pid, where the system tells. */
  processStart: z.string().optional(),
  released: z.boolean(),
});
export type LockRecord = z.infer<typeof recordSchema>;

/** A lock file: its number, and what it says. */
export interface Lock {
  readonly number: number;
  readonly record: LockRecord;
}

const nameOf = (number: number): string => `lock.${number}`;
const numberIn = (name: string): number => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0);

const numbersIn = (folder: string): number[] =>
  readdirSync(folder)
    .map(numberIn)
    .filter((number) => number > 0)
    .sort((a, b) => b - a);

/** The lock file with the highest number; undefined where there has never been one. */
export function readLock(folder: string): Lock | undefined {
  for (;;) {
    const [number] = numbersIn(folder);
    if (number === undefined) return undefined;
    try {
      return { number, record: recordSchema.parse(JSON.parse(readFileSync(join(folder, nameOf(number)), 'utf8'))) };
    } catch (error) {
      // Gone between the two looks: a higher one has taken its place.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Creates lock file `number`, whole or not at all, and returns whether it now is the highest.
 *
 * Numbers only grow, and the highest file is never removed, so two processes that saw the same dead or released holder
 * compete for one name, which one of them gets. One that saw something older finds a higher file afterwards, and steps back.
 */
export function placeLock(folder: string, { number, record }: Lock): boolean {
  const draft = draftOf(folder, record);
  try {
    linkSync(draft, join(folder, nameOf(number)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
  const [highest = number, ...lower] = numbersIn(folder);
  if (highest !== number) {
    rmSync(join(folder, nameOf(number)), { force: true });
    return false;
  }
  for (const old of lower) rmSync(join(folder, nameOf(old)), { force: true });
  return true;
}

/** Marks the own lock as released. The file stays: its number must not come again. */
export function releaseLock(folder: string, { number, record }: Lock): void {
  renameSync(draftOf(folder, { ...record, released: true }), join(folder, nameOf(number)));
}

/** A file with the whole record, under a name nobody reads. */
function draftOf(folder: string, record: LockRecord): string {
  const draft = join(folder, `draft.${record.pid}.${record.token}`);
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  return draft;
}
