import { describe, expect, it } from 'vitest';
import { approversOf, expiresOf, inEnvironment, isProtected, personBehind, personInSlack, policyOf, recheckIn, runsFor, teamsOf } from './policy.ts';
import { readPolicy } from './read.ts';
import type { Policy } from './types.ts';

const hour = 60 * 60 * 1000;
const pullRequest = { kind: 'pull_request' } as const;
const push = (branch: string) => ({ kind: 'push', branch, defaultBranch: 'trunk' }) as const;

function policyFrom(text: string): Policy {
  const { policy, problems } = readPolicy(`version: 1\n${text}`, 'lockkeeper.yaml');
  expect(problems).toEqual([]);
  return policy as Policy;
}

describe('without a file', () => {
  const policy = policyOf();

  it('pull requests touch preview, and pushes to the default branch touch production, with the plan called main', () => {
    expect(runsFor(policy, pullRequest)).toEqual([{ plan: 'main', path: 'release.plan.yaml', environment: 'preview' }]);
    expect(runsFor(policy, push('trunk'))).toEqual([{ plan: 'main', path: 'release.plan.yaml', environment: 'production' }]);
  });

  it('a push to another branch touches nothing', () => {
    expect(runsFor(policy, push('main'))).toEqual([]);
  });

  it('production alone is protected, and whoever maintains the repository decides within a day', () => {
    expect(['production', 'preview', 'Production', 'constructor'].map((name) => isProtected(policy, name))).toEqual([true, false, false, false]);
    expect(approversOf(policy, 'production')).toBeUndefined();
    expect(expiresOf(policy, 'production')).toBe(24 * hour);
  });

  it('no host may be reached, secrets and provider blocks are free, and no stack is named', () => {
    expect(inEnvironment(policy, 'preview')).toEqual({
      protected: false,
      required: 1,
      allowSelf: false,
      ciOnly: false,
      expiresMs: 24 * hour,
      readCredentials: {},
      httpHosts: [],
      drift: { enabled: false, scheduleMs: 86_400_000, notify: true, ignore: [] },
      planOnPullRequest: false,
    });
    expect(policy.stack).toBeUndefined();
    expect(policy.checks).toBeUndefined();
  });
});

describe('a file that says nothing', () => {
  it('is the policy without a file', () => {
    expect(policyFrom('')).toEqual(policyOf());
  });
});

describe('a file that lists plans', () => {
  const policy = policyFrom(`
plans:
  - { name: shop, path: shop/release.plan.yaml }
  - { name: billing, path: billing/release.plan.yml, events: { push: [staging, production] } }
  - { name: docs, path: docs/release.plan.yaml, events: { pull_request: [], push: [] } }
events: { pull_request: [preview, qa] }
environments: { qa: {}, staging: {} }
`);

  it('starts one run per plan and environment, in the order of the file, and none called main', () => {
    expect(runsFor(policy, pullRequest).map(({ plan, environment }) => `${plan} ${environment}`)).toEqual([
      'shop preview',
      'shop qa',
      'billing preview',
      'billing qa',
    ]);
  });

  it('asks a plan’s own events first, then those of the file, then the defaults', () => {
    expect(runsFor(policy, push('trunk'))).toEqual([
      { plan: 'shop', path: 'shop/release.plan.yaml', environment: 'production' },
      { plan: 'billing', path: 'billing/release.plan.yml', environment: 'staging' },
      { plan: 'billing', path: 'billing/release.plan.yml', environment: 'production' },
    ]);
  });
});

describe('a file that speaks of environments', () => {
  const policy = policyFrom(`
stack: releases
environments:
  staging: { protected: true, expires: 90m }
  production: { protected: false, expires: 14d, approvers: [{ github: ada }] }
`);

  it('protects what it says, and production whatever it says, with a warning', () => {
    const { warnings } = readPolicy('version: 1\nenvironments: { production: { protected: false } }\n', 'f');

    expect(['staging', 'production', 'preview'].map((name) => isProtected(policy, name))).toEqual([true, true, false]);
    expect(warnings).toMatchObject([{ code: 'POLICY_DOUBTFUL', at: { line: 2, column: 42 } }]);
  });

  it('keeps questions open as long as it says, and names approvers and stack', () => {
    expect([expiresOf(policy, 'staging'), expiresOf(policy, 'production')]).toEqual([1.5 * hour, 14 * 24 * hour]);
    expect(approversOf(policy, 'production')).toEqual([{ github: 'ada' }]);
    expect(approversOf(policy, 'staging')).toBeUndefined();
    expect(policy.stack).toBe('releases');
  });

  it('gets a warning for a name that is nearly production, whose approvers would never be asked', () => {
    const { policy: read, warnings } = readPolicy('version: 1\nenvironments:\n  Production: { approvers: [{ github: ada }] }\n', 'f');

    expect(warnings).toMatchObject([{ code: 'POLICY_DOUBTFUL', at: { line: 3, column: 3 } }]);
    expect(warnings[0]?.message).toContain('nearly called `production`');
    expect(read && approversOf(read, 'production')).toBeUndefined();
  });

  it('may repeat a block by an anchor, with a warning', () => {
    const { policy: read, warnings } = readPolicy('version: 1\nenvironments:\n  a: &a { expires: 1h }\n  b: *a\n', 'f');

    expect(read && expiresOf(read, 'b')).toBe(hour);
    expect(warnings.map(({ code }) => code)).toEqual(['YAML_ANCHOR']);
  });

  it('survives being stored as JSON', () => {
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
  });
});

describe('a file that says who decides', () => {
  const policy = policyFrom(`
checks: always
environments:
  production:
    approvers: [{ github: ada, slack: U024BE7LH }, { team: acme/releases }]
    required: 2
    allow_self: true
    ci_only: true
    lease_ttl: 30m
    slack: { channel: C024BE91L, mention: S0614TZR7 }
  staging:
    protected: true
    approvers: [{ team: acme/releases }]
    drift: { enabled: true, schedule: 6h, ignore: [{ line: db, reason: set by its owner }], show: ['aws_instance#tags["a.b"]'] }
`);

  it('lists people and teams apart, and where a team stands alone nobody else decides', () => {
    expect(approversOf(policy, 'production')).toEqual([{ github: 'ada', slack: 'U024BE7LH' }]);
    expect([teamsOf(policy, 'production'), teamsOf(policy, 'preview')]).toEqual([['acme/releases'], []]);
    expect(approversOf(policy, 'staging')).toEqual([]);
  });

  it('names how many, whether one’s own counts, where it is asked and how long a lease stands', () => {
    expect(inEnvironment(policy, 'production')).toMatchObject({
      required: 2,
      allowSelf: true,
      ciOnly: true,
      leaseTtlMs: hour / 2,
      slack: { channel: 'C024BE91L', mention: 'S0614TZR7' },
    });
    expect(inEnvironment(policy, 'staging').drift).toEqual({
      enabled: true,
      scheduleMs: 6 * hour,
      notify: true,
      ignore: [{ line: 'db', reason: 'set by its owner' }],
      show: ['aws_instance#tags["a.b"]'],
    });
    expect(policy.checks).toBe('always');
  });

  it('knows a person by their Slack member id, and nobody by another', () => {
    expect(personInSlack(policy, 'U024BE7LH')).toBe('ada');
    expect([personInSlack(policy, 'U024BE7L'), personInSlack(policyOf(), 'U024BE7LH')]).toEqual([undefined, undefined]);
  });

  it('gets a warning for what it says of decisions where nobody is asked', () => {
    const { warnings } = readPolicy('version: 1\nenvironments:\n  qa: { required: 2 }\n  test: { recheck: true }\n', 'f');

    expect(warnings.map(({ code, message }) => [code, message.includes('add `protected: true`')])).toEqual([
      ['POLICY_DOUBTFUL', true],
      ['POLICY_DOUBTFUL', true],
    ]);
  });
});

describe('looking again after the decision (R4.16)', () => {
  it.each([
    ['', false],
    ['ci_only: true', true],
    ['ci_only: false', false],
    ['recheck: true', true],
    ['recheck: false', false],
    ['recheck: true, ci_only: false', true],
    ['recheck: true, ci_only: true', true],
    ['recheck: false, ci_only: true', false],
  ])('with { %s }: %s', (said, wanted) => {
    expect(recheckIn(policyFrom(`environments: { production: { ${said} } }`), ['production'])).toBe(wanted);
  });

  it('is done for a run of several environments when one of them asks for it', () => {
    const policy = policyFrom('environments: { production: { recheck: false }, staging: { protected: true, recheck: true } }');

    expect(recheckIn(policy, ['production', 'staging'])).toBe(true);
    expect(recheckIn(policy, ['production'])).toBe(false);
  });
});

describe('the person behind an AWS principal', () => {
  const policy = policyFrom(`
environments:
  staging:
    approvers: [{ github: ada, aws: 'arn:aws:iam::111122223333:role/sso/Ada' }, { github: eve }]
  production:
    approvers: [{ github: bob, aws: 'arn:aws:iam::111122223333:user/bob' }, { github: ada, aws: 'arn:aws:iam::111122223333:role/sso/Ada' }]
`);

  it('is whom any environment maps it to', () => {
    expect(personBehind(policy, 'arn:aws:iam::111122223333:user/bob')).toBe('bob');
    expect(personBehind(policy, 'arn:aws:sts::111122223333:assumed-role/Ada/ada@example.com')).toBe('ada');
  });

  it('is nobody for a principal that is not mapped, in whatever way it looks like one', () => {
    const strangers = [
      'arn:aws:iam::111122223333:user/eve',
      'arn:aws:iam::444455556666:user/bob',
      'arn:aws:sts::111122223333:assumed-role/Ada2/ada',
      'arn:aws:sts::444455556666:assumed-role/Ada/ada',
      'arn:aws-cn:sts::111122223333:assumed-role/Ada/ada',
      'arn:aws:iam::111122223333:role/sso/Ada',
      'arn:aws:iam::111122223333:root',
      '',
    ];
    expect(strangers.map((caller) => personBehind(policy, caller))).toEqual(strangers.map(() => undefined));
    expect(personBehind(policyOf(), 'arn:aws:iam::111122223333:user/bob')).toBeUndefined();
  });
});
