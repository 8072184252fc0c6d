import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { emptyRest } from '../rest/state.ts';
import { demoSlack } from '../slack/state.ts';
import type { World } from './world.ts';

/** The world in a file; undefined when there is no such file. Throws when the file is of a format this code does not know. */
export function load(file: string): World | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return worldOf(JSON.parse(text));
}

/** Writes the world to a file in one step: a reader sees the old world or the new one. The file is its owner's alone. */
export function save(file: string, world: World): void {
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.tmp`;
  writeFileSync(beside, JSON.stringify(world), { mode: 0o600 });
  renameSync(beside, file);
}

/** Takes exported JSON for a world. Throws when it is not one. */
export function worldOf(value: unknown): World {
  const world = value as Partial<World> | null;
  const known = world?.format === 1 && world.source && world.neon && world.vercel && world.clerk && world.github;
  if (!known) throw new Error('not a fake cloud of format 1: export one with GET /_control/state');
  // A cloud that was kept before there was any other API, or Slack, has none.
  return structuredClone({ rest: emptyRest(), slack: demoSlack(), ...world }) as World;
}
