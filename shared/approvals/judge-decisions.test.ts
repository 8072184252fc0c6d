import { describe, expect, test } from 'vitest';
import type { Permission } from '../ports/code-host.ts';
import type { Decision, Person } from './decision.ts';
import { type Electorate, judgeDecisions, type Listed, standingOf } from './judge-decisions.ts';

const arn = (name: string) => `arn:aws:iam::123456789012:user/${name}`;
const mapped: Readonly<Record<string, string>> = Object.fromEntries(['ada', 'bob', 'kim', 'Mona', 'zoe'].map((name) => [arn(name), name]));
const permissions = new Map<string, Permission>([
  ['ada', 'admin'],
  ['mona', 'maintain'],
  ['bob', 'write'],
  ['kim', 'admin'],
]);

const electorate = (more: Partial<Electorate> = {}): Electorate => ({
  stack: 'deployed',
  approvers: [undefined],
  required: 1,
  allowSelf: false,
  own: [],
  personBehind: (principal) => mapped[principal],
  personInSlack: (member) => (member === 'U00000KIM' ? 'kim' : undefined),
  permissions,
  people: new Set(['ada', 'mona', 'bob', 'kim', 'zoe']),
  ...more,
});

const listed = (...logins: readonly string[]): Listed => ({ logins });
const person = (name: string, principal: string | undefined = arn(name)): Person => ({ name, through: 'aws', ...(principal && { principal }) });
const onGithub = (name: string): Person => ({ name, through: 'github' });
const inSlack = (name: string, principal: string): Person => ({ name, through: 'slack', principal });
const machine: Person = { name: 'root', through: 'machine' };

interface Row {
  readonly who: Person;
  readonly among?: Partial<Electorate>;
  readonly approve: true | string;
  /** What a rejection comes to, where that differs. */
  readonly reject?: true;
}

const rows: Readonly<Record<string, Row>> = {
  'an admin': { who: person('ada'), approve: true },
  'a maintainer': { who: person('Mona'), approve: true },
  'a maintainer in other letters than policy writes': { who: person('mona', arn('Mona')), approve: true },
  'somebody with write': { who: person('bob'), approve: 'NOT_AN_APPROVER' },
  'somebody the host does not know': { who: person('zoe'), approve: 'NOT_AN_APPROVER' },
  'one of the list, whatever their role': { who: person('bob'), among: { approvers: [listed('ada', 'Bob')] }, approve: true },
  'an admin who is not in the list': { who: person('Mona'), among: { approvers: [listed('ada')] }, approve: 'NOT_AN_APPROVER' },
  'anybody, where the list is empty': { who: person('ada'), among: { approvers: [listed()] }, approve: 'NOT_AN_APPROVER' },
  'one of one list where two environments are written': {
    who: person('ada'),
    among: { approvers: [listed('ada'), listed('bob')] },
    approve: 'NOT_AN_APPROVER',
  },
  'one of the list of one, who maintains for the other': { who: person('ada'), among: { approvers: [listed('ada'), undefined] }, approve: true },
  'one of the list of one, who has write for the other': { who: person('bob'), among: { approvers: [listed('bob'), undefined] }, approve: 'NOT_AN_APPROVER' },
  'the commit’s author, an admin': { who: person('kim'), among: { own: ['KIM'] }, approve: 'NOT_AN_APPROVER', reject: true },
  'the commit’s author, who is in the list': {
    who: person('kim'),
    among: { own: ['kim'], approvers: [listed('kim')] },
    approve: 'NOT_AN_APPROVER',
    reject: true,
  },
  'whoever triggered it, who may do nothing there': { who: person('zoe'), among: { own: ['zoe'] }, approve: 'NOT_AN_APPROVER', reject: true },
  'a principal that policy maps to nobody': { who: person('ada', arn('stranger')), approve: 'APPROVER_NOT_A_PERSON' },
  'no principal': { who: { name: 'ada', through: 'aws' }, approve: 'APPROVER_NOT_A_PERSON' },
  'a principal that policy maps to somebody else now': { who: person('ada', arn('bob')), approve: 'APPROVER_NOT_A_PERSON' },
  'an admin, in Slack': { who: inSlack('kim', 'U00000KIM'), approve: true },
  'a Slack member that policy maps to nobody': { who: inSlack('kim', 'U000STRANGE'), approve: 'APPROVER_NOT_A_PERSON' },
  'a Slack member that policy maps to somebody else now': { who: inSlack('ada', 'U00000KIM'), approve: 'APPROVER_NOT_A_PERSON' },
  'a Slack member whose id is a principal’s': { who: { ...inSlack('ada', arn('ada')) }, approve: 'APPROVER_NOT_A_PERSON' },
  'a principal whose name is a Slack member’s': { who: person('kim', 'U00000KIM'), approve: 'APPROVER_NOT_A_PERSON' },
  'a Slack member whose GitHub account is no person’s': {
    who: inSlack('kim', 'U00000KIM'),
    among: { people: new Set(['ada']) },
    approve: 'APPROVER_NOT_A_PERSON',
  },
  'the commit’s author, in Slack': { who: inSlack('kim', 'U00000KIM'), among: { own: ['kim'] }, approve: 'NOT_AN_APPROVER', reject: true },
  'an admin, on GitHub itself': { who: onGithub('Ada'), approve: true },
  'somebody with write, on GitHub itself': { who: onGithub('bob'), approve: 'NOT_AN_APPROVER' },
  'an app, on GitHub itself, though it is listed': {
    who: onGithub('release-bot'),
    among: { approvers: [listed('release-bot')] },
    approve: 'APPROVER_NOT_A_PERSON',
  },
  'the commit’s author, on GitHub itself': { who: onGithub('kim'), among: { own: ['KIM'] }, approve: 'NOT_AN_APPROVER', reject: true },
  'a person at a machine, on a deployed stack': { who: machine, approve: 'APPROVER_NOT_A_PERSON' },
  'an admin’s name at a machine, on a deployed stack': { who: { name: 'ada', through: 'machine' }, approve: 'APPROVER_NOT_A_PERSON' },
  'a person at their own machine': { who: machine, among: { stack: 'embedded', approvers: [listed()], own: ['root'] }, approve: true },
  'a principal mapped to nobody, on an embedded stack': { who: person('ada', arn('x')), among: { stack: 'embedded' }, approve: 'APPROVER_NOT_A_PERSON' },
  'somebody with write, on an embedded stack': { who: person('bob'), among: { stack: 'embedded' }, approve: 'NOT_AN_APPROVER' },
};

const codeOf = (who: Person, verdict: Decision['verdict'], among: Electorate): true | string => {
  const standing = standingOf(who, verdict, among);
  return standing.allowed || standing.code;
};

describe('who may decide', () => {
  test.each(Object.entries(rows))('%s', (_, { who, among, approve, reject }) => {
    expect(codeOf(who, 'approve', electorate(among))).toBe(approve);
    expect(codeOf(who, 'reject', electorate(among))).toBe(reject ?? approve);
  });

  test('a refusal names whom to ask instead', () => {
    const standing = standingOf(person('Mona'), 'approve', electorate({ approvers: [listed('ada', 'bob')] }));
    expect(standing).toMatchObject({ why: 'Mona is none of the approvers: ada, bob.' });
  });
});

describe('what the answers come to', () => {
  const by = (who: Person, verdict: Decision['verdict']): Decision => ({ verdict, person: who, at: '2026-01-01T00:00:00.000Z' });
  const [yes, no] = [by(person('ada'), 'approve'), by(person('Mona'), 'reject')];
  const strangers = [by(person('bob'), 'reject'), by(machine, 'approve'), by(person('zoe'), 'approve')];

  test.each([
    ['nobody', [], undefined],
    ['one approval', [yes], 'approve'],
    ['one rejection', [no], 'reject'],
    ['an approval and a rejection, in either order', [yes, no], 'reject'],
    ['a rejection before an approval', [no, yes], 'reject'],
    ['answers that do not count', strangers, undefined],
    ['an approval among rejections that do not count', [...strangers, yes], 'approve'],
  ] as const)('%s', (_, decisions, verdict) => {
    expect(judgeDecisions(decisions, electorate()).verdict).toBe(verdict);
  });

  test('a person is counted once, whatever they answered through', () => {
    const twice = [yes, by(onGithub('ADA'), 'approve')];
    expect(judgeDecisions(twice, electorate({ required: 2 }))).toMatchObject({ approvals: { by: ['ADA'], required: 2 } });
    expect(judgeDecisions(twice, electorate({ required: 2 })).verdict).toBeUndefined();
    expect(judgeDecisions([...twice, by(person('Mona'), 'approve')], electorate({ required: 2 })).verdict).toBe('approve');
  });

  test('those that do not count are named with why, and honoured by nobody', () => {
    const { counted, ignored } = judgeDecisions([...strangers, yes], electorate());
    expect(counted).toEqual([yes]);
    expect(ignored.map(({ decision, code }) => [decision.person.name, code])).toEqual([
      ['bob', 'NOT_AN_APPROVER'],
      ['root', 'APPROVER_NOT_A_PERSON'],
      ['zoe', 'NOT_AN_APPROVER'],
    ]);
  });
});
