/** The page that says what stops an apply: each row is played by the scenarios it names, and no such scenario is left out of it. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScenario, type Scenario } from '../scenarios/scenario.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/what-stops-an-apply.md'), 'utf8');
const folder = 'test/scenarios/stale';
const files = globSync('*.yaml', { cwd: join(root, folder) }).map((file) => basename(file, '.yaml'));
const scenarioOf = (name: string): Scenario => readScenario(join(root, folder, `${name}.yaml`));

const namedIn = (text: string): string[] =>
  [...text.matchAll(/\[([\w-]+)\]\(\.\.\/test\/scenarios\/stale\/([\w-]+)\.yaml\)/g)].map(
    ([, name, file]) => (name === file ? name : `${name}≠${file}`) as string,
  );
const table = page.slice(page.indexOf('## What is noticed'), page.indexOf('## Of a stack'));
const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| What changed'));

/** What a scenario's step comes to that answers the question about the changed world. */
const judged = ({ steps }: Scenario) => steps.map(({ expect: wanted }) => wanted).filter((wanted) => wanted?.stale !== undefined);

describe('the page about what stops an apply (R4.23)', () => {
  it.each(rows.map((row) => [row.split('|')[1]?.trim() ?? '', row]))('names a scenario without and one with a recheck: %s', (_what, row) => {
    const [, , off = '', on = ''] = row.split('|');
    expect(namedIn(off)).toHaveLength(1);
    expect(namedIn(on)).toHaveLength(1);
    expect(namedIn(off)[0]).toMatch(/-recheck-off$/);
    expect(namedIn(on)[0]).toBe(namedIn(off)[0]?.replace(/off$/, 'on'));
    expect(recheckIn(scenarioOf(namedIn(off)[0] as string))).toBe(false);
    expect(recheckIn(scenarioOf(namedIn(on)[0] as string))).toBe(true);
  });

  it('has the five rows of which each is played both ways (R4.11 to R4.15)', () => {
    const cited = new Set(rows.flatMap(namedIn).flatMap((name) => scenarioOf(name).rules));
    expect(['R4.11', 'R4.12', 'R4.13', 'R4.14', 'R4.15'].filter((rule) => !cited.has(rule))).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(5);
  });

  it('names every scenario of the folder, and none that is not there', () => {
    expect(namedIn(page).sort()).toEqual([...files].sort());
  });

  it.each(files.sort())('%s says what stands in the log, how often people were asked, and what was written', (name) => {
    const [wanted] = judged(scenarioOf(name));
    expect(wanted).toBeDefined();
    expect(wanted?.questions).toBeTypeOf('number');
    expect(wanted?.writes).toBeDefined();
    for (const entry of wanted?.stale ?? []) {
      expect(Object.keys(JSON.parse(entry) as object).slice(0, 5)).toEqual(['step', 'cause', 'approved', 'replanned', 'differs']);
    }
  });

  it.each(rows.flatMap(namedIn))('%s is told by the page as it ends', (name) => {
    const row = rows.find((one) => namedIn(one).includes(name)) as string;
    const cell = row.split('|').find((part) => namedIn(part).includes(name)) as string;
    const [wanted] = judged(scenarioOf(name));
    const stops = (wanted?.stale ?? []).map((entry) => JSON.parse(entry) as { step: string; cause: string });
    if (stops.length === 0) return expect(cell).toMatch(/Not noticed|refused in the same way/);
    expect(cell).toMatch(stops[0]?.step === 'guard' ? /guard|recheck/ : /line/);
    if (stops[0]?.cause === 'state') expect(row).toContain('`state`');
  });
});

function recheckIn({ policy }: Scenario): unknown {
  const { environments } = policy as { environments: { production: { recheck: boolean } } };
  return environments.production.recheck;
}
