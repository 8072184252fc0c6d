import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { painter } from '../../../shared/surfaces/paint.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { validate } from './validate.ts';

const plan = `version: 1
providers: { neon: { project: calm-river-12345678 } }
changes:
  - { id: db, adapter: neon, op: branch, parent: main }
`;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lockkeeper-validate-'));
  writeFileSync(join(cwd, 'release.plan.yaml'), plan);
});
afterEach(() => rmSync(cwd, { recursive: true }));

const asked = (): Answer => validate({ plan: 'release.plan.yaml' } as Invocation, { cwd });
const said = (answer: Answer): string => answer.text({ paint: painter(false), colour: false, width: 100 });
const policy = (text: string, name = 'lockkeeper.yaml') => writeFileSync(join(cwd, name), text);

describe('lockkeeper validate', () => {
  it('says nothing of a policy where there is none', () => {
    expect(asked()).toMatchObject({ exit: 0 });
    expect(said(asked())).not.toContain('lockkeeper.yaml');
  });

  it('finds the policy beside the plan valid', () => {
    policy('version: 1\n');
    expect(asked()).toMatchObject({ exit: 0, document: { policy: 'lockkeeper.yaml', problems: [], warnings: [] } });
    expect(said(asked())).toContain('= lockkeeper.yaml is valid.\n');
  });

  it('tells a mistake in the policy with its place, before it stops every run from the default branch', () => {
    policy('version: 1\nevents:\n  push: [prodction]\n');
    const answer = asked();
    expect(answer).toMatchObject({ exit: 2, problem: { code: 'POLICY_INVALID', at: { file: 'lockkeeper.yaml', line: 3, column: 10 } } });
    expect(said(answer)).toContain('lockkeeper.yaml:3:10 POLICY_INVALID');
    expect(said(answer)).toMatch(/\n1 mistake in lockkeeper\.yaml\.\n$/);
  });

  it('tells mistakes of both files at once', () => {
    policy('version: 2\n');
    writeFileSync(join(cwd, 'release.plan.yaml'), plan.replace('neon, op', 'neom, op'));
    expect(said(asked())).toMatch(/\n1 mistake in release\.plan\.yaml, 1 mistake in lockkeeper\.yaml\.\n$/);
  });

  it.each([
    ['an adapter nobody knows', 'providers: { vercell: [{ project: p }] }', 'there is no adapter `vercell`'],
    ['approvers nobody asks', 'approvers: [{ github: ada }]', 'is not protected, so these approvers decide nothing'],
  ])('warns of %s', (_, line, says) => {
    policy(`version: 1\nenvironments:\n  staging:\n    ${line}\n`);
    const answer = asked();
    expect(answer.exit).toBe(0);
    expect(answer.document).toMatchObject({ warnings: [{ code: 'POLICY_DOUBTFUL', at: { line: 4 } }] });
    expect(said(answer)).toContain(says);
  });

  it('warns of attributes that no line has under that name, and of lines that this plan does not have', () => {
    policy(
      'version: 1\nenvironments:\n  preview:\n    drift: { show: ["vercel.evn#values.A", "aws_instance#tags"], ignore: [{ line: variabels, reason: r }], lines: [dbb] }\n',
    );
    const answer = asked();
    expect(answer.exit).toBe(0);
    const said = (answer.document['warnings'] as { message: string }[]).map(({ message }) => message);
    expect(said).toEqual([
      expect.stringMatching(/no line makes a `vercel.evn`.*did you mean `vercel.env`/),
      expect.stringMatching(/`drift.lines` of preview names `dbb`, and the plan has no such line there/),
      expect.stringMatching(/`drift.ignore` of preview names `variabels`/),
    ]);
  });

  it('refuses a policy under a name that nothing reads, and one that is a folder', () => {
    policy('version: 1\n', 'lockkeeper.yml');
    expect(asked()).toMatchObject({ exit: 2, problem: { code: 'POLICY_INVALID', message: expect.stringContaining('rename it') } });
    mkdirSync(join(cwd, 'lockkeeper.yaml'));
    expect(asked()).toMatchObject({ exit: 2, problem: { code: 'POLICY_INVALID', message: expect.stringContaining('cannot be read') } });
  });
});
