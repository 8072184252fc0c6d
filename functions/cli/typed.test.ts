import { expect, it } from 'vitest';
import { answersTo, type Typed } from './typed.ts';

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
