/** Counterexamples as files: shrunk, told again before anything else, and kept (R1.118). */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Story, story } from './story.ts';

const folder = join(import.meta.dirname, 'found');

/** A story that once broke something: what it broke, and what became of that. */
const kept = z.strictObject({ broke: z.string().min(1), story });

export interface Found {
  readonly file: string;
  readonly broke: string;
  readonly story: Story;
}

/** Every counterexample that is kept, of one place. */
export function foundIn(where: Story['where']): Found[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const all = files.sort().map((file) => ({ file, ...kept.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))) }));
  return all.filter((one) => one.story.where === where);
}

/** Keeps a shrunk counterexample. Returns its file. */
export function keep(told: Story, broke: string): string {
  mkdirSync(folder, { recursive: true });
  const body = `${JSON.stringify({ broke, story: told }, null, 2)}\n`;
  const file = join(folder, `${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 12)}.json`);
  writeFileSync(file, body);
  return file;
}
