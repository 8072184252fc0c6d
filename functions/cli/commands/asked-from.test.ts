import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQuestions } from '../../../shared/run/questions.ts';
import { openWorkbench, repository } from '../../../test/ports/workbench.ts';
import { reportOf } from '../../../test/reports/report.ts';
import type { PlanFile } from '../plan-file.ts';
import { askedFrom, endedBy } from './asked-from.ts';

const plan = 'version: 1\n';
let folder: string;
let sha: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'asked-from-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=kim', '-c', 'user.email=kim@acme.example', ...args], { encoding: 'utf8' });
  writeFileSync(join(folder, 'release.plan.yaml'), plan);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  sha = git('rev-parse', 'HEAD').trim();
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (text: string) => ({ path: 'release.plan.yaml', bytes: Buffer.from(text) }) as PlanFile;
const asked = reportOf({ status: 'awaiting', environment: 'production' });
const release = (branch: string, scope: string) => ({ repository, folder, environment: 'production', scope, branch, sha });

it('says nothing where the plan is the commit’s, of the default branch, or where nobody is asked', async () => {
  const main = release(repository.defaultBranch, 'main');
  expect(await askedFrom(asked, main, file(plan), folder)).toEqual([]);
  expect(await askedFrom(reportOf(), release('feat', 'branch-feat'), file('other'), folder)).toEqual([]);
});

it('says that a plan file is not as its commit has it, and that a branch has a ledger beside the default branch’s', async () => {
  expect(await askedFrom(asked, release('feat', 'branch-feat'), file('other'), folder)).toEqual([
    `release.plan.yaml is not as commit ${sha.slice(0, 7)} has it: what is asked about goes by the file in this folder.`,
    `This is branch feat: scope branch-feat of production has a ledger of its own, beside that of ${repository.defaultBranch}.`,
  ]);
});

it('names the question whose place a run has taken, and no other', async () => {
  const bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const ask = async (scope: string) => {
    const id = await bench.command({ commit: 'one', environment: 'production', scope });
    await bench.quiet();
    bench.clock.advance(1000);
    return id;
  };
  const first = await ask('main');
  await ask('branch-y');
  const open = await openQuestions(bench.world(), repository.id);
  const next = await ask('main');
  expect(await endedBy(bench.world(), next, open)).toEqual([
    expect.stringMatching(new RegExp(`^Plan [0-9a-f]{12} of run ${first.slice(0, 12)} is not open any more: this run took its place`)),
  ]);
});
