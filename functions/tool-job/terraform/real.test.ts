import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StackPlan, ToolOutcome } from '../../../shared/stacks/tool-work.ts';
import { openStage, type Stage, workOn } from '../stage.fixture.ts';

/** The tools that are on this machine: the scenarios run with each of them, and the recorded tool plays what none of them can. */
const there = (['terraform', 'tofu'] as const).filter((tool) => {
  try {
    return execFileSync(tool, ['version', '-json'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
});
console.log(
  there.length === 0
    ? 'Neither terraform nor tofu is on this machine: the recorded tool alone is run.'
    : `The scenarios of stacks run with the real ${there.join(' and ')}.`,
);

const backend = (stage: Stage): string => `terraform {\n  backend "local" { path = "${join(stage.folder, 'state', 'terraform.tfstate')}" }\n}\n`;

const planned = (outcome: ToolOutcome): StackPlan => {
  expect(outcome, outcome.words).toMatchObject({ did: 'planned' });
  return (outcome as Extract<ToolOutcome, { did: 'planned' }>).plan;
};

describe.each(there)('a stack of the real %s', (tool) => {
  it('is planned, applied exactly as saved, and then has nothing to do (R4.1, R4.2)', async () => {
    const stage = openStage();
    const files = {
      'stack/main.tf': `${backend(stage)}resource "terraform_data" "a" { input = "one" }\noutput "made" { value = terraform_data.a.id }\noutput "said" { value = "one" }`,
    };
    const source = await stage.source(files);
    const plan = planned(await stage.job(workOn(source, { tool })));
    expect(plan.changes).toMatchObject([
      { address: 'output.made', actions: ['create'] },
      { address: 'output.said', actions: ['create'] },
      { address: 'terraform_data.a', type: 'terraform_data', actions: ['create'], paths: [] },
    ]);
    expect(plan.outputs).toEqual({ said: { value: 'one', sensitive: false } });
    const approved = { plan: await stage.saved(plan), changes: plan.changes };
    const applied = await stage.job(workOn(source, { tool, do: 'apply', approved }));
    expect(applied, applied.words).toMatchObject({ did: 'applied', differs: [], resources: ['terraform_data.a'], outputs: { said: { value: 'one' } } });
    expect(applied).toMatchObject({ state: { serial: expect.any(Number), lineage: expect.any(String) } });
    const again = planned(await stage.job(workOn(source, { tool })));
    expect(again.changes).toEqual([]);
    expect(stage.leftBehind()).toEqual([]);
  });
});
