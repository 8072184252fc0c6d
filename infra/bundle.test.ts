import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundled, bundle, entries } from './bundle.ts';

const handler = `
import { SQSClient } from '@aws-sdk/client-sqs';
import yaml from 'yaml';
import middy from '@middy/core';
export const handler = middy(async (event: { text: string }) => ({ read: yaml.parse(event.text), region: await new SQSClient({ region: 'eu-west-1' }).config.region() }));
`;
const cli = `
import { startFauxqs } from 'fauxqs';
export const emulator = startFauxqs;
`;

let root = '';
let made: Bundled;

function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-bundle-'));
  symlinkSync(join(import.meta.dirname, '..', 'node_modules'), join(root, 'node_modules'));
  write('package.json', '{"type":"module"}');
  write('functions/line-worker/handler.ts', handler);
  write('functions/cli/main.ts', cli);
  write('dist/functions/gone/index.mjs', 'left by an earlier build');
  made = await bundle(root, join(root, 'dist'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a bundle', () => {
  it('is one file that runs where nothing is installed, with the AWS SDK inside', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'lockkeeper-alone-'));
    cpSync(join(root, 'dist/functions/line-worker'), elsewhere, { recursive: true });
    const loaded = (await import(pathToFileURL(join(elsewhere, 'index.mjs')).href)) as { handler(event: unknown, context: unknown): Promise<unknown> };
    expect(await loaded.handler({ text: 'a: 1' }, { getRemainingTimeInMillis: () => 1000 })).toEqual({ read: { a: 1 }, region: 'eu-west-1' });
    rmSync(elsewhere, { recursive: true });
  });

  it('has a map beside it that names the sources without repeating them', () => {
    const map = JSON.parse(readFileSync(join(root, 'dist/functions/line-worker/index.mjs.map'), 'utf8')) as { sources: string[]; sourcesContent?: unknown };
    expect(map.sources).toContain('../../../functions/line-worker/handler.ts');
    expect(map).not.toHaveProperty('sourcesContent');
  });

  it('of the command line leaves the emulators outside, to be installed beside it', () => {
    expect(readFileSync(join(root, 'dist/cli/main.mjs'), 'utf8')).toMatch(/from ?"fauxqs"/);
  });

  it('is reported with its size, and every entry point without a handler is named', () => {
    expect(made.bundles.map(({ name }) => name)).toEqual(['functions/line-worker', 'functions/cli']);
    for (const { bytes } of made.bundles) expect(bytes).toBeGreaterThan(0);
    expect(made.missing).toEqual(entries.filter((entry) => entry !== 'line-worker').map((entry) => `functions/${entry}/handler.ts`));
  });

  it('replaces what an earlier build left', () => {
    expect(() => readFileSync(join(root, 'dist/functions/gone/index.mjs'))).toThrow('ENOENT');
  });

  it('is not made from source that does not resolve', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'lockkeeper-broken-'));
    mkdirSync(join(broken, 'functions/schedule'), { recursive: true });
    writeFileSync(join(broken, 'functions/schedule/handler.ts'), "import { nothing } from './nowhere.ts'; export const handler = nothing;");
    await expect(bundle(broken, join(broken, 'dist'), 'silent')).rejects.toThrow('Could not resolve "./nowhere.ts"');
    rmSync(broken, { recursive: true });
  });
});
