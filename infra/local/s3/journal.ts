import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './object-store.ts';

/** Where a store keeps its changes and bodies. */
export interface Journal {
  /** Changes of earlier starts, oldest first. */
  replay(): Change[];
  append(change: Change): void;
  /** Keeps a body, before the change that names it is appended. */
  keep(blob: string, body: Buffer): void;
  read(blob: string): Buffer;
  drop(blob: string): void;
}

export function memoryJournal(): Journal {
  const blobs = new Map<string, Buffer>();
  return {
    replay: () => [],
    append: () => undefined,
    keep: (blob, body) => void blobs.set(blob, body),
    read: (blob) => blobs.get(blob) ?? Buffer.alloc(0),
    drop: (blob) => void blobs.delete(blob),
  };
}

/**
 * A folder with one file per body and `log.jsonl`, one change a line, only ever appended to. What a crash leaves: a body no change
 * names (harmless), or a torn last line (its put was never answered; it is cut off).
 */
export function folderJournal(folder: string): Journal {
  const blobs = join(folder, 'blobs');
  const log = join(folder, 'log.jsonl');
  mkdirSync(blobs, { recursive: true });
  return {
    replay() {
      if (!existsSync(log)) return [];
      const text = readFileSync(log, 'utf8');
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      if (whole.length < text.length) truncateSync(log, Buffer.byteLength(whole));
      return whole
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Change);
    },
    append: (change) => appendFileSync(log, `${JSON.stringify(change)}\n`),
    keep: (blob, body) => writeFileSync(join(blobs, blob), body),
    read: (blob) => readFileSync(join(blobs, blob)),
    drop: (blob) => rmSync(join(blobs, blob), { force: true }),
  };
}
