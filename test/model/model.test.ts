import { expect, test } from 'vitest';
import { type Explored, explore } from './explore.ts';
import { settings } from './settings.ts';
import { storyText } from './story.ts';

const slowest = 600_000;

const worlds = new Set<string>();
const explored: Explored[] = [];

test.each(settings.map((setting) => [setting.name, setting] as const))(
  'whatever happens while %s, nothing is written that was not approved, and no decision is lost (I7, I9, I11, I12, P2, P7, R4.1)',
  { timeout: slowest },
  async (_name, setting) => {
    const seen = await explore(setting, { states: setting.states, worlds });
    explored.push(seen);
    expect(seen.found.slice(0, 3).map(storyText)).toEqual([]);
  },
);

test('that is fifty thousand states and more, ten moves deep, of many actors', () => {
  console.log(
    explored
      .map(({ setting, added, moves, depth, whole }) => `${setting}: ${added} new states, ${moves} moves, depth ${depth}${whole ? ', whole' : ''}`)
      .join('\n'),
  );
  console.log(`${worlds.size} distinct states`);
  expect(worlds.size).toBeGreaterThanOrEqual(50_000);
  expect(Math.max(...explored.map(({ depth }) => depth))).toBeGreaterThanOrEqual(10);
  expect(new Set(explored.flatMap(({ actors }) => actors)).size).toBeGreaterThanOrEqual(4);
});
