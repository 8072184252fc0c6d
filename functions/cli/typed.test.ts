import { expect, it } from 'vitest';
import { answersTo, type Typed, withFlags } from './typed.ts';

const digest = '3f2a9c81e4d0b6a7'.repeat(4);

it.each<[Partial<Typed>, string]>([
  [{}, ''],
  [{ sim: true }, ' --sim'],
  [{ local: true, stateDir: '../state/of/it' }, ' --local --state-dir ../state/of/it'],
  [{ stateDir: "it's; rm -rf $HOME" }, ` --state-dir 'it'\\''s; rm -rf $HOME'`],
  [{ stack: 'Lockkeeper' }, ' --stack Lockkeeper'],
])('the next command finds the same state with the flags of this one: %j', (typed, flags) => {
  expect(answersTo(digest, { sim: false, local: false, stateDir: '.lockkeeper', ...typed })).toEqual({
    approve: `lockkeeper approve 3f2a9c81e4d0${flags}`,
    reject: `lockkeeper reject 3f2a9c81e4d0${flags}`,
  });
});

it.each([
  ['List open questions with `lockkeeper runs`.', 'List open questions with `lockkeeper runs --sim --stack Lockkeeper`.'],
  [
    'Type `lockkeeper approve 3f2a --sim` or `lockkeeper reject 3f2a`.',
    'Type `lockkeeper approve 3f2a --sim` or `lockkeeper reject 3f2a --sim --stack Lockkeeper`.',
  ],
  ['Run `lockkeeper --help`, or `lockkeeper validate`.', 'Run `lockkeeper --help`, or `lockkeeper validate`.'],
])('a hint is given the flags that were typed: %s', (hint, pasteable) => {
  expect(withFlags(hint, { sim: true, local: false, stateDir: '.lockkeeper', stack: 'Lockkeeper' })).toBe(pasteable);
});

it('a command that works in a place is given the place that was typed, unless it names one; one about a run or a digest is not', () => {
  const typed: Typed = { sim: true, local: false, stateDir: '.lockkeeper', env: 'staging', branch: 'feat/x' };
  const said = '`lockkeeper prune`, `lockkeeper adopt site --branch site`, `lockkeeper log 3f2a`';
  expect(withFlags(said, typed)).toBe(
    '`lockkeeper prune --env staging --branch feat/x --sim`, `lockkeeper adopt site --branch site --sim`, `lockkeeper log 3f2a --sim`',
  );
});

it('and the plan file that was named, also where the command names its place itself', () => {
  const typed: Typed = { sim: true, local: false, stateDir: '.lockkeeper', plan: 'other.plan.yaml' };
  expect(withFlags('`lockkeeper reconcile site --branch feat`, `lockkeeper plan --plan this.yaml`, `lockkeeper log 3f2a`', typed)).toBe(
    '`lockkeeper reconcile site --branch feat --plan other.plan.yaml --sim`, `lockkeeper plan --plan this.yaml --sim`, `lockkeeper log 3f2a --sim`',
  );
  expect(withFlags('`lockkeeper plan`', { ...typed, plan: 'release.plan.yaml' })).toBe('`lockkeeper plan --sim`');
});
