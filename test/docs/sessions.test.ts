/**
 * The terminal sessions of the documentation, typed again: each belongs to a scenario of `sessions/`, whose commands are those of its
 * examples, in order, and prints what they show. A line `…` stands for whatever is left out. Ids, digests and times are not compared.
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { play, playForLeaks } from '../scenarios/play.ts';
import { moveOf, readScenario, type Scenario } from '../scenarios/scenario.ts';
import { fences, wordsOf } from './fences.ts';

const folder = join(import.meta.dirname, 'sessions');
const names = globSync('*.yaml', { cwd: folder })
  .map((file) => basename(file, '.yaml'))
  .sort();
const examples = fences.filter(({ info }) => info === 'console');

/** One command of an example, as it is typed and as it answers. */
interface Exchange {
  readonly typed: string;
  readonly shown: string;
}

const exchangesOf = (body: string): Exchange[] =>
  body
    .split(/^\$ lockkeeper /m)
    .slice(1)
    .map((part) => ({ typed: part.slice(0, part.indexOf('\n')), shown: part.slice(part.indexOf('\n') + 1).trim() }));

const commandsOf = ({ steps }: Scenario): string[] => steps.map(moveOf).flatMap(({ name, input }) => (name === 'command' ? [String(input)] : []));

/** Without what is another one each time. */
const normal = (text: string): string =>
  text
    .replaceAll(/\b\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: UTC|Z)?)?/g, 'TIME')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, 'ID')
    .replaceAll(/\b(?:br|env|ep)[-_][\w-]+/g, 'ID')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();

/** Whether what was printed is what is shown, with anything where a line `…` stands. */
function isShown(shown: string, printed: string): boolean {
  const parts = `\n${normal(shown)}\n`.split(/\n…(?=\n)/);
  let rest = `\n${normal(printed)}\n`;
  for (const [at, part] of parts.entries()) {
    const found = rest.indexOf(at < parts.length - 1 ? `${part}\n` : part);
    if (found === -1 || (at === 0 && found !== 0)) return false;
    rest = rest.slice(found + part.length);
  }
  return parts.at(-1)?.trim() === '' || rest.trim() === '';
}

describe('a terminal session in the documentation', () => {
  let cloud: ClockedCloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.stop());

  it('belongs to a scenario, and every scenario to one', () => {
    expect([...new Set(examples.map(({ session = '?' }) => session))].sort()).toEqual(names);
  });

  it.each(names)('%s: prints what the page shows', async (name) => {
    const scenario = readScenario(join(folder, `${name}.yaml`));
    const wanted = examples.filter(({ session }) => session === name).flatMap(({ body }) => exchangesOf(body));
    // The digest of a question is made up by whoever reads the page.
    const spoken = (line: string): string => wordsOf(line.replaceAll(/\b[0-9a-f]{12}\b|\$digest\d/g, '$digest')).join(' ');
    expect(wanted.map(({ typed }) => spoken(typed))).toEqual(commandsOf(scenario).map(spoken));

    await play(cloud, scenario);
    const { leaks, stage } = await playForLeaks(cloud, scenario, new Map());
    expect(leaks).toEqual([]);
    const printed = stage.printed.filter((text) => !text.startsWith('{"'));
    for (const [at, { shown }] of wanted.entries()) if (!isShown(shown, printed[at] ?? '')) expect(normal(printed[at] ?? '')).toBe(normal(shown));
    expect(printed).toHaveLength(wanted.length);
  });
});
