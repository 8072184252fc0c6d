import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Tally, tallyText } from '../canaries/search.ts';
import { canaries } from '../canaries/values.ts';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { playForLeaks } from './play.ts';
import { scenarioFiles } from './run-files.ts';
import { readScenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { withCanaries, withCanariesInStacks } from './with-canaries.ts';

let cloud: ClockedCloud;
const tally: Tally = new Map();
let [played, carried, quoting] = [0, 0, 0];

beforeAll(async () => {
  cloud = await openCloud();
});
afterAll(async () => {
  await cloud.stop();
  process.stderr.write(
    `looked through for ${canaries.length} canaries in ${played} scenarios, of which ${carried} wrote them and ${quoting} had them quoted:\n${tallyText(tally)}\n`,
  );
});

const scenarios = scenarioFiles().flatMap((file, number) => {
  const scenario = withCanaries(readScenario(join(import.meta.dirname, file)), number);
  return scenario ? [{ file, scenario }] : [];
});

it.each(scenarios)('$file lets no canary out, whatever shape it has (I1, R1.103, R1.104)', async ({ scenario }) => {
  const written = new Set<string>();
  const { leaks, stage } = await playForLeaks(cloud, scenario, tally);
  for (const { body } of stage.house.sim.requests({ provider: 'vercel' })) for (const { name } of canaries) if (body.includes(`"${name}"`)) written.add(name);
  played += 1;
  if (everything(stage).some((text) => /refused .{0,40}\[REDACTED\]/.test(text))) quoting += 1;
  if (written.size === canaries.length) carried += 1;
  expect(leaks).toEqual([]);
});

/** Those in which a stack comes to an end of its own: each end stores and shows other things. */
const stacks = scenarioFiles().flatMap((file) => {
  const scenario = /^stacks\/(killed|removal-asked|secrets|state-moved)/.test(file) && withCanariesInStacks(readScenario(join(import.meta.dirname, file)));
  return scenario ? [{ file, scenario }] : [];
});

it.each(stacks)('$file lets no canary out of the variables, the state, the plan and the words of a stack’s tool (I1)', async ({ scenario }) => {
  const { leaks, stage } = await playForLeaks(cloud, scenario, tally);
  const given = stage.house.stacks.runner.began.flatMap(({ work }) => Object.keys(work.variables));
  expect(canaries.filter(({ name }) => !given.includes(name))).toEqual([]);
  expect(leaks).toEqual([]);
});

const everything = (stage: Stage): string[] => stage.house.bucket.keys().flatMap((key) => stage.house.bucket.bodies(key));

it('most scenarios really sent them to Vercel, and every sink was looked through (I1)', () => {
  expect(played).toBeGreaterThanOrEqual(50);
  expect(carried / played).toBeGreaterThan(0.6);
  expect(quoting / played).toBeGreaterThan(0.4);
  expect([...tally.keys()].sort()).toEqual(['GitHub', 'Slack', 'bucket', 'log', 'queues', 'state machine', 'table', 'table writes', 'terminal']);
  for (const bytes of tally.values()) expect(bytes).toBeGreaterThan(1000);
});
