import { expect, test } from 'vitest';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { createRedactor } from '../redact/redactor.ts';
import { jsonLog } from './log.ts';

function logged() {
  const redactor = createRedactor();
  redactor.register('tok-"1234"');
  const lines: string[] = [];
  return { lines, log: jsonLog(redactor, manualClock(0), (line) => lines.push(line)) };
}

test('a call is one line of JSON, with level, time, message and fields', () => {
  const { lines, log } = logged();
  log.info('run started', { run: 'r1', lines: 3 });
  expect(lines).toEqual(['{"level":"info","time":"1970-01-01T00:00:00.000Z","message":"run started","run":"r1","lines":3}\n']);
});

test('a secret is masked in message, fields and errors, and the line still parses', () => {
  const { lines, log } = logged();
  log.error('refused: tok-"1234"', { error: new Error('sent tok-"1234"', { cause: new Error('tok-"1234"') }), code: 'PROVIDER_AUTH' });
  expect(lines.join('')).not.toContain('1234');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'refused: [REDACTED]',
    code: 'PROVIDER_AUTH',
    error: { name: 'Error', message: 'sent [REDACTED]', cause: { message: '[REDACTED]' } },
  });
});

test('sets and big integers are written as JSON can hold them', () => {
  const { lines, log } = logged();
  log.warn('open', { runs: new Set(['a', 'b']), size: 10n });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ runs: ['a', 'b'], size: '10' });
});
