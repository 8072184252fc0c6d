import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alwaysProtected, approversOf, isProtected, personBehind, personInSlack, policyOf, runsFor, teamsOf } from '../../shared/policy/policy.ts';
import { readPolicy } from '../../shared/policy/read.ts';
import type { Policy } from '../../shared/policy/types.ts';

const root = new URL('../../', import.meta.url);
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();

/** The blocks of a page in one language, as ` ```yaml policy ` names it. */
function blocks(page: string, language: string): string[] {
  const found = readFileSync(new URL(page, root), 'utf8').matchAll(/^```(.+)\n([\s\S]*?)^```$/gm);
  return [...found].filter(([, info]) => info === language).map(([, , body = '']) => body);
}

const page = 'docs/policy.md';
const policies = pages.flatMap((name) => blocks(name, 'yaml policy').map((policy, index) => ({ name, at: index + 1, policy })));
const read = (body: string | undefined) => readPolicy(body ?? '', 'lockkeeper.yaml');

const [usual, whole, ...more] = blocks(page, 'yaml policy');
const push = { kind: 'push', branch: 'main', defaultBranch: 'main' } as const;
const pullRequest = { kind: 'pull_request' } as const;

describe('a policy in the documentation', () => {
  it.each(policies)('$name, policy $at: has no mistake, and leaves no doubt', ({ policy }) => {
    const { problems, warnings } = read(policy);
    expect([...problems, ...warnings]).toEqual([]);
  });
});

describe('the examples of docs/policy.md', () => {
  it('are all judged here', () => {
    expect(more).toEqual([]);
    expect(blocks(page, 'yaml')).toEqual([]);
  });

  it('show in full what holds without a file', () => {
    const policy = read(usual).policy as Policy;
    const said = policyOf();

    for (const event of [pullRequest, push]) expect(runsFor(policy, event)).toEqual(runsFor(said, event));
    for (const environment of ['preview', alwaysProtected]) {
      expect(isProtected(policy, environment)).toBe(isProtected(said, environment));
      expect({ ...policy.environments[environment], protected: false }).toEqual(read('version: 1\nenvironments: { x: {} }').policy?.environments['x']);
    }
  });

  it('show a monorepo whose second plan goes through staging, and two approvers beside a team, of whom one decides through a stack and in Slack', () => {
    const policy = read(whole).policy as Policy;

    expect(runsFor(policy, push).map(({ plan, environment }) => `${plan} ${environment}`)).toEqual([
      'shop production',
      'billing staging',
      'billing production',
    ]);
    expect(approversOf(policy, 'production')?.map(({ github }) => github)).toEqual(['ada', 'grace']);
    expect(personBehind(policy, 'arn:aws:sts::111122223333:assumed-role/releases-ada/laptop')).toBe('ada');
    expect(personInSlack(policy, 'U024BE7LH')).toBe('ada');
    expect(teamsOf(policy, 'production')).toEqual(['acme/releases']);
  });

  it('show mistakes with exactly what is said of them', () => {
    const [mistaken, ...others] = blocks(page, 'yaml mistaken-policy');
    const [printed] = blocks(page, 'text');
    const { problems } = read(mistaken);

    expect(others).toEqual([]);
    expect(problems).toHaveLength(3);
    expect(printed).toBe(problems.map(({ code, message, at }) => `${at?.file}:${at?.line}:${at?.column} ${code} ${message}\n`).join(''));
  });
});
