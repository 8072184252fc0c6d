import { describe, expect, it } from 'vitest';
import { isPrincipal, principalPattern } from './principal.ts';

const account = '111122223333';
const session = `arn:aws:sts::${account}:assumed-role/release/ada@example.com`;

describe('an AWS principal that policy names', () => {
  it.each([
    ['a user', `arn:aws:iam::${account}:user/ada`],
    ['a user under a path', `arn:aws:iam::${account}:user/eu/releases/ada`],
    ['a role', `arn:aws:iam::${account}:role/release`],
    ['a role of the identity center', `arn:aws:iam::${account}:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Release_0123456789abcdef`],
    ['a session', session],
    ['a federated user', `arn:aws:sts::${account}:federated-user/ada`],
    ['a user in another partition', `arn:aws-us-gov:iam::${account}:user/ada`],
  ])('may be %s', (_, arn) => {
    expect(arn).toMatch(principalPattern);
  });

  it.each([
    ['the root', `arn:aws:iam::${account}:root`],
    ['a group', `arn:aws:iam::${account}:group/releases`],
    ['an account', account],
    ['a wildcard', `arn:aws:iam::${account}:role/*`],
    ['any account', 'arn:aws:iam::*:role/release'],
    ['a session without a name', `arn:aws:sts::${account}:assumed-role/release`],
    ['everybody', '*'],
    ['a service', 'lambda.amazonaws.com'],
    ['text around a principal', ` ${session}`],
    ['two lines', `${session}\n${session}`],
  ])('may not be %s', (_, arn) => {
    expect(arn).not.toMatch(principalPattern);
  });

  it('is a caller of exactly its name, or any session of the role', () => {
    expect(isPrincipal(session, session)).toBe(true);
    expect(isPrincipal(`arn:aws:iam::${account}:role/release`, session)).toBe(true);
    expect(isPrincipal(`arn:aws:iam::${account}:role/team/release`, session)).toBe(true);
    expect(isPrincipal(`arn:aws:iam::${account}:user/eu/ada`, `arn:aws:iam::${account}:user/eu/ada`)).toBe(true);
  });

  it('is nobody else: no other session, role, user, kind or account', () => {
    expect(isPrincipal(session, `${session}2`)).toBe(false);
    expect(isPrincipal(`arn:aws:iam::${account}:role/releas`, session)).toBe(false);
    expect(isPrincipal(`arn:aws:iam::${account}:user/release`, session)).toBe(false);
    expect(isPrincipal(`arn:aws:iam::${account}:user/eu/ada`, `arn:aws:iam::${account}:user/ada`)).toBe(false);
    expect(isPrincipal(`arn:aws:sts::${account}:federated-user/ada`, `arn:aws:iam::${account}:user/ada`)).toBe(false);
    expect(isPrincipal(`arn:aws:iam::444455556666:role/release`, session)).toBe(false);
  });

  it('is not a role by itself: nobody calls as one', () => {
    const role = `arn:aws:iam::${account}:role/release`;
    expect(isPrincipal(role, role)).toBe(false);
  });
});
