import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { Explored } from './explore.ts';
import { settings } from './settings.ts';
import { storyText } from './story.ts';

const root = new URL('../../', import.meta.url);
const slowest = 600_000;

let seen: { readonly worlds: number; readonly seconds: number; readonly explored: readonly Explored[] };

beforeAll(async () => {
  // Most of what a move leaves behind is dropped at once: a larger nursery lets it.
  const given = ['--max-semi-space-size=64', 'test/model/run-settings.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  seen = JSON.parse(stdout) as typeof seen;
}, slowest);

test.each(settings.map(({ name }) => name))(
  'whatever happens while %s, nothing is written that was not approved, and no decision is lost (I7, I9, I11, I12, P2, P7, R4.1)',
  (name) => {
    const explored = seen.explored.find(({ setting }) => setting === name);
    expect(explored?.states).toBeGreaterThan(0);
    expect(explored?.found.map(storyText)).toEqual([]);
  },
);

test('that is fifty thousand states and more, ten moves deep, of many actors', () => {
  const { worlds, explored, seconds } = seen;
  console.log(
    explored
      .map(({ setting, added, moves, depth, whole }) => `${setting}: ${added} new states, ${moves} moves, depth ${depth}${whole ? ', whole' : ''}`)
      .join('\n'),
  );
  console.log(`${worlds} distinct states in ${seconds.toFixed(0)} s of a processor`);
  expect(worlds).toBeGreaterThanOrEqual(50_000);
  expect(Math.max(...explored.map(({ depth }) => depth))).toBeGreaterThanOrEqual(10);
  expect(new Set(explored.flatMap(({ actors }) => actors)).size).toBeGreaterThanOrEqual(4);
});
