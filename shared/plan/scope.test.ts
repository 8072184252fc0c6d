import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopeName, scopeOwner } from './scope.ts';

const branch = (name: string, defaultBranch: string | undefined = 'main') => scopeName({ pullRequest: undefined, branch: name, defaultBranch });

describe('a scope (R1.17)', () => {
  it('is the pull request’s number wherever there is one, even from a branch called main', () => {
    expect(scopeName({ pullRequest: 42, branch: 'main', defaultBranch: 'main' })).toBe('pr-42');
  });

  it('is main on the default branch alone, whatever that is called', () => {
    expect(branch('trunk', 'trunk')).toBe('main');
    expect(branch('main', 'trunk')).toBe('branch-main');
    expect(branch('master', 'main')).toBe('branch-master');
  });

  it('is main on no branch where the default branch is not known', () => {
    expect(scopeName({ pullRequest: undefined, branch: 'main', defaultBranch: undefined })).toBe('branch-main');
  });

  it.each([
    ['feat-x', 'branch-feat-x'],
    ['feat/x', 'branch-feat~2Fx'],
    ['v1.2_rc', 'branch-v1.2_rc'],
    ['größe', 'branch-gr~C3~B6~C3~9Fe'],
    ['a#b', 'branch-a~23b'],
  ])('of the branch %s is %s', (name, scope) => {
    expect(branch(name)).toBe(scope);
  });

  it('tells whose it is, whatever the branch is called: the clean-up goes by that', () => {
    expect([scopeOwner('main'), scopeOwner('pr-42')]).toEqual(['default branch', { pullRequest: 42 }]);
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        expect(scopeOwner(branch(name, ''))).toEqual({ branch: name });
      }),
    );
  });

  it.each(['', 'pr-0', 'pr-7x', 'branch-', 'branch-a/b', 'branch-~2f', 'branch-~FF', 'master'])('%j is nobody’s', (name) => {
    expect(scopeOwner(name)).toBeUndefined();
  });

  it('is never shared by two branches, and holds nothing that needs escaping', () => {
    const names = fc.string({ minLength: 1, unit: 'grapheme' });
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(one !== other);
        expect(branch(one, '')).not.toBe(branch(other, ''));
        expect(branch(one, '')).toMatch(/^branch-[A-Za-z0-9._~-]+$/);
      }),
    );
  });
});
