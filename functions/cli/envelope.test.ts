import fc from 'fast-check';
import { expect, it } from 'vitest';
import { envelopeOf, failureEnvelope } from './envelope.ts';

const problem = { code: 'LOCK_HELD', message: 'm', hint: 'h', details: { holder: 'r', code: 'X', message: 'Y', hint: 'Z' } } as const;

it('is ok exactly when the exit code is 0, and has an error exactly when it is not', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 2, 3, 130), fc.dictionary(fc.constantFrom('ok', 'command', 'error', 'lines'), fc.jsonValue()), (exit, document) => {
      const envelope = envelopeOf('plan', { exit, document, ...(exit === 0 ? {} : { problem }) });
      expect(envelope).toMatchObject({ ok: exit === 0, command: 'plan' });
      expect(Object.hasOwn(envelope, 'error')).toBe(exit !== 0);
    }),
  );
});

it('holds the command’s own fields in success and failure alike', () => {
  expect(envelopeOf('plan', { exit: 0, document: { lines: [] } })).toEqual({ ok: true, command: 'plan', lines: [] });
  expect(envelopeOf('plan', { exit: 1, document: { lines: [] }, problem })).toMatchObject({ ok: false, lines: [], error: { code: 'LOCK_HELD' } });
});

it('lets details add to code, message and hint, and never stand over them', () => {
  expect(failureEnvelope(null, problem)).toEqual({ ok: false, command: null, error: { holder: 'r', code: 'LOCK_HELD', message: 'm', hint: 'h' } });
});

it('says where in the file a mistake is', () => {
  const at = { file: 'p.yaml', line: 1, column: 2 };
  expect(failureEnvelope('validate', { code: 'PLAN_PARSE', message: 'm', at })).toEqual({
    ok: false,
    command: 'validate',
    error: { code: 'PLAN_PARSE', message: 'm', at },
  });
});
