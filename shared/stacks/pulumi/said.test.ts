import { describe, expect, it } from 'vitest';
import { previewOutput } from './preview.ts';
import { recording } from './pulumi.fixture.ts';
import { causeOf, diagnosticOfExit, diagnosticsOf, lockIn } from './said.ts';

const saidIn = (name: string) => diagnosticsOf(previewOutput(recording(name)).said);
const demo = 'urn:pulumi:dev::drift-demo::';

describe('what Pulumi says when it fails', () => {
  it('I1: is told as its kind, resource and path: a refused plan prints a former secret in clear', () => {
    expect(recording('up-secret-moved.json').toString()).toContain('CANARY-rotated-1-aaa');
    expect(saidIn('up-secret-moved.json')).toEqual([
      { severity: 'error', kind: 'violates-plan', address: `${demo}pulumi:providers:pulumi-nodejs::default`, path: 'drift-demo:password' },
    ]);
  });

  it.each([
    ['up-violates-plan.json', { severity: 'error', kind: 'violates-plan', address: `${demo}pulumi-nodejs:dynamic:Obj::beta.v2`, path: 'size' }],
    ['up-plan-already-applied.json', { severity: 'error', kind: 'expected-change-not-seen', address: `${demo}pulumi-nodejs:dynamic:Obj::beta.v2` }],
  ])('is told of %s', (name, expected) => {
    expect(saidIn(name)).toEqual([expected]);
  });

  it('takes no path out of values: only the first property that is named', () => {
    const message = `error: resource ${demo}a:b:C::d violates plan: properties changed: ++a[{x}], ~~CANARY[{1}!={2}]`;
    expect(diagnosticsOf([{ severity: 'error', urn: undefined, message }])).toEqual([
      { severity: 'error', kind: 'violates-plan', address: `${demo}a:b:C::d`, path: 'a' },
    ]);
    const strange = 'error: resource x violates plan: properties changed: ~~CANARY value[{1}!={2}]';
    expect(diagnosticsOf([{ severity: 'error', urn: undefined, message: strange }])).toEqual([{ severity: 'error', kind: 'violates-plan' }]);
  });

  it.each([
    ['no-stack.stderr.txt', 6, 'no-stack'],
    ['wrong-passphrase.stderr.txt', 1, 'wrong-passphrase'],
  ])('is told of standard error alone: %s', (name, exit, kind) => {
    expect(diagnosticOfExit(exit, recording(name).toString())).toEqual({ severity: 'error', kind });
  });

  it('of a stack that is locked says who has it and since when, where the backend does', () => {
    const text =
      'error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n' +
      '  s3://states/.pulumi/locks/organization/shop/dev/22d8693a-7bae-4563-bc98-27045e703b9f.json: created by ada@laptop (pid 285) at 2026-11-30T20:00:00+01:00';
    expect(causeOf([diagnosticOfExit(255, text)], 'apply-failed')).toBe('busy');
    expect(lockIn(text)).toEqual({ who: 'ada@laptop', since: '2026-11-30T19:00:00.000Z', id: '22d8693a-7bae-4563-bc98-27045e703b9f' });
    expect(causeOf([diagnosticOfExit(255, 'error: [409] Conflict: Another update is currently in progress.')], 'apply-failed')).toBe('busy');
    expect(lockIn('error: [409] Conflict: Another update is currently in progress.')).toEqual({});
  });
});
