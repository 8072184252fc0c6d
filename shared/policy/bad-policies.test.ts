import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../errors/error.ts';
import { policyOf } from './policy.ts';
import { policyFrom, readPolicy } from './read.ts';

/** A bad policy file, and the one problem it has: line, column, and the part of the message that says what to write. */
type BadPolicy = readonly [title: string, text: string | Uint8Array, line: number, column: number, message: string];

/** One line before `body`: its first line is line 2. */
const file = (body: string) => `version: 1\n${body}`;
/** `entry` stands on line 4 from column 5, in the block of production. */
const inProduction = (entry: string) => file(`environments:\n  production:\n    ${entry}\n`);
/** `entry` is one approver, on line 5 from column 9. */
const approver = (entry: string) => inProduction(`approvers:\n      - ${entry}`);
/** `entry` is one plan, on line 3 from column 5. */
const plan = (entry: string) => file(`plans:\n  - ${entry}\n`);
const role = 'arn:aws:iam::111122223333:role/release';

const files: readonly BadPolicy[] = [
  ['is empty', '', 1, 1, 'start it with `version: 1`, or delete it to have the defaults'],
  ['holds comments alone', '# nothing yet\n', 1, 1, 'the policy file is empty'],
  ['is a list', '- version: 1\n', 1, 1, 'a policy file is a map, not a list'],
  ['is one word', '\nhello\n', 2, 1, 'a policy file is a map, not text'],
  ['is larger than 256 KiB', file(`#${'x'.repeat(256 * 1024)}`), 1, 1, '262144 (256 KiB) are allowed: split it'],
  ['is UTF-16', new Uint8Array([0xff, 0xfe, 0x76, 0x00]), 1, 1, 'save it as UTF-8'],
  ['holds a control character', file('stack: a\u0007b\n'), 2, 9, 'U+0007 may not stand in a policy file'],
  ['is not YAML', file('plans: [\n'), 3, 1, 'brackets close'],
  ['is indented with tabs', file('environments:\n\tproduction: {}\n'), 3, 1, 'indent with spaces'],
  ['says a key twice', file('stack: a\nstack: b\n'), 3, 1, '`stack` stands twice'],
  ['follows an alias to nowhere', inProduction('secrets: *shared'), 4, 14, '`*shared` names no anchor above it'],
  ['expands without bound', file(`environments:\n  a: &a { secrets: [${'"env://A",'.repeat(1000)}] }\n${bomb(600)}`), 500, 9, 'more than 500000 values'],
  ['has no version', 'stack: shop\n', 1, 1, '`version` is missing: write `1`'],
  ['has another version', 'version: 2\n', 1, 10, '`version` takes `1`'],
  ['has its version as text', 'version: "1"\n', 1, 10, '`version` takes `1`'],
  ['misspells a key', file('enviroments: {}\n'), 2, 1, 'did you mean `environments`?'],
  ['holds the text of a plan', file('changes: []\n'), 2, 1, '`changes` is not a key here'],
  ['gives a key nothing', file('environments:\n'), 2, 14, '`environments` is missing: write a map'],
  ['calls a key __proto__', file('__proto__: {}\n'), 2, 1, 'choose another name'],
  ['names a stack CloudFormation would not take', file('stack: my_stack\n'), 2, 8, 'a CloudFormation stack is named'],
];

/** Lines that expand to a thousand values each. */
function bomb(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `  b${index}: *a\n`).join('');
}

const drift: readonly BadPolicy[] = [
  ['ignores everything', inProduction('drift: { ignore: [{ reason: everything }] }'), 4, 23, 'name a `line`, a `resource` or a `path`'],
  ['says no reason but blanks', inProduction('drift: { ignore: [{ line: a, reason: "  " }] }'), 4, 42, 'say why it may differ'],
  [
    'ignores by a wildcard',
    inProduction('drift: { ignore: [{ line: a, path: values.*, reason: r }] }'),
    4,
    40,
    'there is no wildcard: a path is of all that is below it, so write `values`',
  ],
  ['ignores what is no path', inProduction('drift: { ignore: [{ line: a, path: "a..b", reason: r }] }'), 4, 40, '`a..b` is no path'],
  ['shows by a wildcard', inProduction('drift: { show: ["vercel.env#values.*"] }'), 4, 21, 'there is no wildcard'],
];

const plans: readonly BadPolicy[] = [
  ['lists no plan', file('plans: []\n'), 2, 8, '`plans` is empty'],
  ['has a map of plans', file('plans:\n  main: release.plan.yaml\n'), 3, 3, '`plans` takes a list, not a map'],
  ['gives a plan as text', plan('release.plan.yaml'), 3, 5, '`plans.0` takes a map, not text'],
  ['gives a plan no name', plan('path: release.plan.yaml'), 3, 5, '`plans.0.name` is missing: write text, as in `billing`'],
  ['gives a plan no path', plan('name: main'), 3, 5, '`plans.0.path` is missing: write text, as in `services/billing/release.plan.yaml`'],
  ['gives a plan a name with a space', plan('{ name: my plan, path: a.yaml }'), 3, 13, 'lower-case letters'],
  ['gives a plan an absolute path', plan('{ name: main, path: /a.yaml }'), 3, 25, 'from the root of the repository'],
  ['leaves the repository', plan('{ name: main, path: a/../../b.yaml }'), 3, 25, 'without `.` or `..` as a step'],
  ['starts a path with ./', plan('{ name: main, path: ./a.yaml }'), 3, 25, 'without `.` or `..` as a step'],
  ['names a plan file that is not YAML', plan('{ name: main, path: a.json }'), 3, 25, 'ends with `.yaml` or `.yml`'],
  ['names itself as a plan', plan('{ name: main, path: lockkeeper.yaml }'), 3, 25, 'is policy and no plan'],
  ['misspells a key of a plan', plan('{ name: main, file: a.yaml, path: b.yaml }'), 3, 19, 'known are `name`, `path` and `events`'],
  ['gives two plans one name', plan('{ name: a, path: a.yaml }\n  - { name: a, path: b.yaml }'), 4, 13, 'taken by the plan at 3:13'],
  ['gives two plans one file', plan('{ name: a, path: a.yaml }\n  - { name: b, path: a.yaml }'), 4, 22, 'belongs to the plan at 3:22'],
];

const events: readonly BadPolicy[] = [
  ['names an event nobody sends', file('events: { pull_requests: [preview] }\n'), 2, 11, 'did you mean `pull_request`?'],
  ['gives an event one environment as text', file('events:\n  push: production\n'), 3, 9, 'write `push: [production]`'],
  ['misspells an environment', file('events: { push: [prodution] }\n'), 2, 18, 'did you mean `production`?'],
  ['names an environment nobody declares', file('events: { pull_request: [qa] }\n'), 2, 26, 'or give it a block under `environments`'],
  ['names an environment twice', file('events: { push: [production, production] }\n'), 2, 30, 'named at 2:18 already'],
  ['lets pull requests into production', file('events: { pull_request: [production] }\n'), 2, 26, 'name it under `push`'],
  [
    'lets pull requests of one plan into production',
    plan('{ name: main, path: a.yaml, events: { pull_request: [production] } }'),
    3,
    58,
    'code nobody has reviewed',
  ],
  ['gives an environment a name with a slash', file('environments:\n  team/qa: {}\n'), 3, 3, 'an environment is named with'],
  ['has a list of environments', file('environments: [production]\n'), 2, 15, '`environments` takes a map, not a list'],
];

const approvers: readonly BadPolicy[] = [
  ['lists no approver', inProduction('approvers: []'), 4, 16, 'is empty: give it a value, or remove the key'],
  ['gives an approver as text', approver('ada'), 5, 9, '`environments.production.approvers.0` takes a map, not text'],
  ['gives an approver no login', approver(`aws: ${role}`), 5, 9, '`environments.production.approvers.0.github` is missing: write text, as in `ada`'],
  ['writes a login with @', approver('github: "@ada"'), 5, 17, 'without `@`'],
  ['lists a team', approver('github: acme/releases'), 5, 17, 'a team is `team: acme/releases`'],
  ['lists a bot', approver('github: deploy[bot]'), 5, 17, 'no bot'],
  ['has a number for a login', approver('github: 7'), 5, 17, 'takes text, not a number: write it as in `ada`'],
  ['lists a team by its slug alone', approver('team: releases'), 5, 15, 'an organization and the slug'],
  ['lists a team by its name', approver('team: acme/Release people'), 5, 15, 'as in `acme/releases`'],
  ['has a number for a team', approver('team: 7'), 5, 15, 'takes text, not a number: write it as in `acme/releases`'],
  ['lists a team and a person in one', approver('{ github: ada, team: acme/releases }'), 5, 24, '`team` is not a key here'],
  ['lists a team twice', approver('team: acme/releases\n      - team: Acme/releases'), 6, 15, 'listed at 5:15 already'],
  ['names a Slack member by a handle', approver('{ github: ada, slack: "@ada" }'), 5, 31, 'this takes a Slack member id'],
  [
    'maps one Slack member to two people',
    approver('{ github: ada, slack: U024BE7LH }\n      - { github: bob, slack: U024BE7LH }'),
    6,
    31,
    'is `ada` too, by 5:31',
  ],
  [
    'wants more approvals than people',
    inProduction('required: 3\n    approvers: [{ github: ada }, { github: bob }]'),
    4,
    15,
    'only 2 people are listed as approvers: write 2 or less',
  ],
  ['wants no approval', inProduction('required: 0'), 4, 15, 'is below the least, 1'],
  ['wants half an approval', inProduction('required: 1.5'), 4, 15, 'takes a whole number'],
  ['wants more approvals than anybody can have', inProduction('required: 11'), 4, 15, 'is above the most, 10'],
  ['lets people approve their own by a word', inProduction('allow_self: "no"'), 4, 17, 'takes true or false, not text'],
  ['writes a key as other tools do', inProduction('allowSelf: true'), 4, 5, 'did you mean `allow_self`?'],
  ['lists a person twice', approver('github: ada\n      - github: Ada'), 6, 17, 'listed at 5:17 already'],
  ['maps a wildcard', approver('{ github: ada, aws: "arn:aws:iam::111122223333:role/*" }'), 5, 29, 'no wildcard'],
  ['maps the root of an account', approver('{ github: ada, aws: "arn:aws:iam::111122223333:root" }'), 5, 29, 'no root'],
  ['maps an account number', approver('{ github: ada, aws: 111122223333 }'), 5, 29, 'takes text, not a number: write it as in `arn:aws:iam::'],
  ['maps one role to two people', approver(`{ github: ada, aws: "${role}" }\n      - { github: bob, aws: "${role}" }`), 6, 29, 'is `ada` too, by 5:29'],
  [
    'maps a session of a role that is another person',
    approver(`{ github: ada, aws: "arn:aws:sts::111122223333:assumed-role/release/bob" }\n      - { github: bob, aws: "${role}" }`),
    6,
    29,
    'give each person a principal of their own',
  ],
  [
    'maps one user to two people in two environments',
    file(
      'environments:\n  a: { approvers: [{ github: ada, aws: "arn:aws:iam::111122223333:user/x" }] }\n  b: { approvers: [{ github: bob, aws: "arn:aws:iam::111122223333:user/x" }] }\n',
    ),
    4,
    40,
    'is `ada` too, by 3:40',
  ],
];

const lists: readonly BadPolicy[] = [
  ['misspells a key of an environment', inProduction('aprovers: []'), 4, 5, 'did you mean `approvers`?'],
  ['protects with a word', inProduction('protected: "yes"'), 4, 16, 'takes true or false, not text'],
  ['writes a time without a unit', inProduction('expires: 24'), 4, 14, 'takes text, not a number: write it as in `24h`'],
  ['writes a time in words', inProduction('expires: one day'), 4, 14, 'write a whole number and `m`, `h` or `d`'],
  ['keeps a question open for no time', inProduction('expires: 0h'), 4, 14, 'write a whole number'],
  ['keeps a question open too long', inProduction('expires: 15d'), 4, 14, '`14d` at most'],
  ['keeps a question open too long, in minutes', inProduction('expires: 20161m'), 4, 14, '`14d` at most'],
  ['gives secrets as text', inProduction('secrets: env://A'), 4, 14, 'write `secrets: [env://A]`'],
  ['names a secret without its scheme', inProduction('secrets: [STRIPE_KEY]'), 4, 15, 'write `env://` and a name'],
  ['names a secret of another environment', inProduction('secrets: ["env://preview/KEY"]'), 4, 15, 'write `env://` and a name'],
  ['names a secret of a source there is not', inProduction('secrets: ["vault://item/field"]'), 4, 15, 'or an address of `aws-sm://`, `ssm://`'],
  ['gives one block for a list', inProduction('providers: { vercel: { project: shop } }'), 4, 26, 'takes a list, not a map'],
  ['gives an adapter no block', inProduction('providers: { vercel: [] }'), 4, 26, 'is empty'],
  ['gives a block as text', inProduction('providers: { vercel: [shop] }'), 4, 27, 'takes a map, not text'],
  ['gives a block a key without a value', inProduction('providers: { vercel: [{ project: }] }'), 4, 38, 'is missing'],
  ['names a credential with its scheme', inProduction('credentials: ["env://NEON_API_KEY"]'), 4, 19, 'no scheme'],
  ['names one credential as text', inProduction('credentials: NEON_API_KEY'), 4, 18, 'write `credentials: [NEON_API_KEY]`'],
  ['reads with a credential that is no name', inProduction('read_credentials: { NEON_API_KEY: "a b" }'), 4, 39, 'the name of a variable'],
  ['reads for a credential that is no name', inProduction('read_credentials: { "a b": NEON_READ_KEY }'), 4, 25, 'the name of a variable'],
  ['names a channel by its name', inProduction('slack: { channel: "#releases" }'), 4, 23, 'this takes the id of a channel'],
  ['names no channel', inProduction('slack: { mention: S0614TZR7 }'), 4, 12, 'is missing: write text, as in `C024BE91L`'],
  ['calls a person for a group', inProduction('slack: { channel: C024BE91L, mention: U024BE7LH }'), 4, 43, 'the id of a user group'],
  ['has a lease shorter than five minutes', inProduction('lease_ttl: 4m'), 4, 16, 'write `300s` or more'],
  ['has a lease longer than a day', inProduction('lease_ttl: 25h'), 4, 16, '`24h` at most'],
  ['has a lease without a unit', inProduction('lease_ttl: 900'), 4, 16, 'takes text, not a number'],
  ['scans more often than anybody looks', inProduction('drift: { enabled: true, schedule: 5m }'), 4, 39, 'from `15m` to `30d`'],
  ['ignores drift without a reason', inProduction('drift: { ignore: [{ line: db }] }'), 4, 23, 'reason` is missing'],
  ['shows an attribute of no type', inProduction('drift: { show: [tags.Name] }'), 4, 21, 'write a resource type, a `#` and a path'],
  ['misspells a key of drift', inProduction('drift: { enable: true }'), 4, 14, 'did you mean `enabled`?'],
  ['reads with what it writes with', inProduction('read_credentials: { NEON_API_KEY: NEON_API_KEY }'), 4, 39, 'writes with the secret `NEON_API_KEY`'],
  ['reads with what another writes with', inProduction('read_credentials: { A_KEY: A_READ, B_KEY: A_KEY }'), 4, 47, 'writes with the secret `A_KEY`'],
  ['plans on pull requests by a word', inProduction('plan_on_pull_request: yes'), 4, 27, 'takes true or false'],
  ['has checks sometimes', file('checks: sometimes\n'), 2, 9, 'takes `always`'],
  ['writes a host with its scheme', inProduction('http_hosts: ["https://api.example.com"]'), 4, 18, 'write the host alone'],
  ['writes a host in capitals', inProduction('http_hosts: [API.example.com]'), 4, 18, 'in lower case'],
  ['writes a host with a wildcard', inProduction('http_hosts: ["*.example.com"]'), 4, 18, 'no scheme, path or wildcard'],
];

describe.each([
  ['as a file', files],
  ['in its plans', plans],
  ['in what it says of drift', drift],
  ['in its events', events],
  ['in its approvers', approvers],
  ['in the lists of an environment', lists],
])('a policy that is bad %s', (_, cases) => {
  it.each(cases)('%s', (_title, text, line, column, message) => {
    const { policy, problems } = readPolicy(text, 'lockkeeper.yaml');

    expect(problems.map(({ code, at }) => ({ code, ...at }))).toEqual([{ code: 'POLICY_INVALID', file: 'lockkeeper.yaml', line, column }]);
    expect(problems[0]?.message).toContain(message);
    expect(policy).toBeUndefined();
  });
});

describe('a lease that policy sets', () => {
  const leased = (ttl: string, leastLeaseMs?: number) =>
    readPolicy(inProduction(`lease_ttl: ${ttl}`), 'lockkeeper.yaml', leastLeaseMs === undefined ? {} : { leastLeaseMs }).problems.map(({ code }) => code);

  it('may be five minutes and more, and not below nine line time-outs of the stack that runs by it', () => {
    expect([leased('5m'), leased('299s')]).toEqual([[], ['POLICY_INVALID']]);
    expect([leased('15m', 900_000), leased('14m', 900_000)]).toEqual([[], ['POLICY_INVALID']]);
    expect([leased('18s', 18_000), leased('17s', 18_000)]).toEqual([[], ['POLICY_INVALID']]);
  });
});

describe('a policy with many mistakes', () => {
  it('tells them all at once, in the order of the file, and never falls back to the defaults', () => {
    const text = `version: 1
plans: [{ name: main, path: ../a.yaml }]
events: { push: [prodution] }
environments:
  production:
    expires: 99d
    approvers: [{ github: ada }, { github: ada }]
`;
    const { policy, problems } = readPolicy(text, 'lockkeeper.yaml');

    expect(problems.map(({ at }) => at?.line)).toEqual([2, 3, 6, 7]);
    expect(policy).toBeUndefined();
  });
});

describe('the policy of a run', () => {
  const thrown = (text: string): unknown => {
    try {
      return policyFrom(text);
    } catch (error) {
      return error;
    }
  };

  it('is the defaults only where there is no file: an empty one is a mistake', () => {
    expect(policyFrom(undefined)).toEqual(policyOf());
    expect(thrown('')).toMatchObject({ code: 'POLICY_INVALID', problem: { at: { file: 'lockkeeper.yaml', line: 1, column: 1 } } });
  });

  it('is an error with every mistake where the file has some', () => {
    const error = thrown('version: 2\nstack: 7\n') as LockkeeperError;

    expect(error).toBeInstanceOf(LockkeeperError);
    expect(error.problem.at).toEqual({ file: 'lockkeeper.yaml', line: 1, column: 10 });
    expect(error.problem.details?.['problems']).toHaveLength(2);
  });

  it('is that of the file where it has none', () => {
    expect(thrown('version: 1\nstack: releases\n')).toMatchObject({ stack: 'releases' });
  });
});
