/** An adapter from elsewhere: what it imports from the package, and what a checkout that names it is built to. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAdapterKit } from '../../infra/adapter-kit.ts';
import { bundleCli } from '../../infra/bundle.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/adapters.md'), 'utf8');
const [adapter = '', suite = ''] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const [, list = ''] = /^ {3}```ts\n([\s\S]*?)^ {3}```$/m.exec(page) ?? [];
const [, plan = ''] = /^```yml\n([\s\S]*?)^```$/m.exec(page) ?? [];

let place = '';
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'lockkeeper-adapter-'));
  const modules = join(place, 'author', 'node_modules');
  mkdirSync(join(modules, 'lockkeeper'), { recursive: true });
  cpSync(join(root, 'package.json'), join(modules, 'lockkeeper', 'package.json'));
  await buildAdapterKit(root, join(modules, 'lockkeeper', 'dist', 'adapter'));
  for (const name of ['zod', 'vitest', 'typescript', '@types']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(place, 'author', 'package.json'), '{"name":"lockkeeper-notes","type":"module","exports":"./note.js"}');
  writeFileSync(join(place, 'author', 'note.ts'), adapter);
  writeFileSync(join(place, 'author', 'note.test.ts'), suite);
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const run = (file: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'node_modules', file), ...args], {
    cwd: join(place, 'author'),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });

describe('the package, to who writes an adapter', () => {
  it('has types for the example of the documentation', () => {
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: ['node'], allowImportingTsExtensions: true, skipLibCheck: true };
    writeFileSync(join(place, 'author', 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['note.ts', 'note.test.ts'] }));
    expect(run('typescript/bin/tsc', '-p', '.')).toBe('');
    writeFileSync(join(place, 'author', 'wrong.ts'), "import type { Op } from 'lockkeeper/adapter';\nexport const wrong: Op = { adapter: 1 };\n");
    writeFileSync(join(place, 'author', 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['wrong.ts'] }));
    expect(() => run('typescript/bin/tsc', '-p', '.')).toThrow(/Command failed/);
  });

  it('has the suite of the contract, and a provider in memory to play it against (R1.6, R1.115)', () => {
    expect(run('vitest/vitest.mjs', 'run', '--root', '.')).toMatch(/Tests\s+\d{2} passed/);
  });
});

describe('a checkout whose adapters.ts names it', () => {
  it('is built to a command line that knows its op, and has one class of errors (R1.7)', async () => {
    const checkout = join(place, 'checkout');
    for (const folder of ['functions', 'shared', 'events', 'infra', 'test/sim']) {
      cpSync(join(root, folder), join(checkout, folder), { recursive: true, filter: (source) => !source.endsWith('.test.ts') });
    }
    cpSync(join(root, 'package.json'), join(checkout, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    // As the author publishes it: JavaScript, which imports the package.
    const published = join(checkout, 'notes');
    await build({ entryPoints: [join(place, 'author', 'note.ts')], outfile: join(published, 'note.js'), format: 'esm', logLevel: 'silent' });
    cpSync(join(place, 'author', 'package.json'), join(published, 'package.json'));
    writeFileSync(join(checkout, 'adapters.ts'), list.replaceAll(/^ {3}/gm, '').replace('lockkeeper-notes', './notes/note.js'));
    writeFileSync(join(checkout, 'release.plan.yaml'), plan);

    await bundleCli(checkout, join(checkout, 'dist'), 'silent');
    const main = join(checkout, 'dist', 'cli', 'main.mjs');
    const said = execFileSync(process.execPath, [main, 'validate'], { cwd: checkout, encoding: 'utf8' });
    expect(said).toContain('release.plan.yaml is valid: preview (1 line), production (1 line).');
    expect(readFileSync(main, 'utf8').match(/name\s*=\s*"LockkeeperError"/g)).toHaveLength(1);
  }, 120_000);
});
