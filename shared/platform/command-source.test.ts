import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../redact/redactor.ts';
import type { SecretReference } from '../secrets/reference.ts';
import { commandSource } from './command-source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const doppler: SecretReference = { scheme: 'doppler', project: 'shop', config: 'dev', name: 'STRIPE_KEY' };
const op: SecretReference = { scheme: 'op', address: 'op://vault/an item; touch $HOME/field' };

/** Puts a command on the PATH; `$0` is the node that runs the test. */
function install(name: string, body: string, mode = 0o755): void {
  const file = join(folder, name);
  writeFileSync(file, `#!${process.execPath}\n${body}`);
  chmodSync(file, mode);
}

function source(scheme: 'doppler' | 'op', more: Record<string, string> = {}, timeoutMs = 20_000) {
  const redactor = createRedactor();
  redactor.registerEnvironment(more);
  return commandSource(scheme, { environment: { PATH: folder, HOME: folder, ...more }, timeoutMs, redactor });
}

describe('a secret that a command knows', () => {
  test('is asked for without a shell: each part of the reference is one argument', async () => {
    install('doppler', 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
    install('op', 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
    expect(await source('doppler').resolve('preview', doppler)).toEqual({
      found: true,
      value: JSON.stringify(['secrets', 'get', 'STRIPE_KEY', '--plain', '--project', 'shop', '--config', 'dev']),
    });
    expect(await source('op').resolve('preview', op)).toEqual({
      found: true,
      value: JSON.stringify(['read', 'op://vault/an item; touch $HOME/field', '--no-newline']),
    });
  });

  test('loses one line end, and no more', async () => {
    install('doppler', String.raw`process.stdout.write('two\nlines\n\n')`);
    expect(await source('doppler').resolve('preview', doppler)).toEqual({ found: true, value: 'two\nlines\n' });
  });

  test('the command sees its own settings, and no credential of anything else (I1)', async () => {
    install('doppler', `require('node:fs').writeFileSync('${folder}/seen', JSON.stringify(process.env)); process.stdout.write('x')`);
    await source('doppler', { DOPPLER_TOKEN: 'dp.st.token', VERCEL_TOKEN: 'hush-vercel', OP_SERVICE_ACCOUNT_TOKEN: 'hush-op' }).resolve('preview', doppler);
    const seen = JSON.parse(readFileSync(join(folder, 'seen'), 'utf8')) as Record<string, string>;
    expect(
      Object.keys(seen)
        .filter((name) => !name.startsWith('__'))
        .sort(),
    ).toEqual(['DOPPLER_TOKEN', 'HOME', 'PATH']);
  });
});

describe('a secret that a command does not give', () => {
  const why = async (found: ReturnType<ReturnType<typeof source>['resolve']>) => {
    const answer = await found;
    return answer.found ? undefined : answer.why;
  };

  test('because it is missing, or may not be executed, is told in different words', async () => {
    expect(await why(source('op').resolve('preview', op))).toMatch(/op is not installed/);
    install('op', '', 0o644);
    expect(await why(source('op').resolve('preview', op))).toMatch(/op was found and cannot be executed/);
  });

  test('because it failed says what the command said, without what it wrote or was signed in with (I1)', async () => {
    install(
      'op',
      `process.stdout.write('half-a-secret'); process.stderr.write('no item with half-a-secret for ' + process.env.OP_SESSION_acme); process.exitCode = 3`,
    );
    const said = await why(source('op', { OP_SESSION_acme: 'session-key-of-acme' }).resolve('preview', op));
    expect(said).toBe('the command op failed (exit 3): no item with [REDACTED] for [REDACTED]');
  });

  test('because it hangs is killed when its time is up, and not started again for the next one', async () => {
    install('doppler', `require('node:fs').appendFileSync('${folder}/starts', '.'); setInterval(() => {}, 1000)`);
    const hanging = source('doppler', {}, 1_500);
    expect(await why(hanging.resolve('preview', doppler))).toMatch(/did not answer within 1.5 s and was stopped/);
    expect(await why(hanging.resolve('preview', { ...doppler, name: 'OTHER' }))).toMatch(/did not answer/);
    expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('.');
  });

  test.each([
    ['gives too much', 'process.stdout.write("x".repeat(1024 * 1024 + 1))', /more than 1 MiB/],
    ['gives nothing', String.raw`process.stdout.write('\n')`, /gave nothing/],
    ['gives bytes', 'process.stdout.write(Buffer.from([0xff, 0xfe, 0x00]))', /is no text/],
  ])('because it %s is told', async (_what, body, words) => {
    install('doppler', body);
    expect(await why(source('doppler').resolve('preview', doppler))).toMatch(words);
  });
});
