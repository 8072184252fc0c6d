/** The command line as it is installed: launcher, bundle and template in a folder without the sources. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { bundleCli } from '../../infra/bundle.ts';
import { synthesizeTemplate } from '../../infra/template.ts';
import type { Timing } from '../../infra/timing.ts';

const root = join(import.meta.dirname, '..', '..');

export interface CliPackage {
  /** What npm puts on the path; runs on any Node.js. */
  readonly launcher: string;
  /** The bundled command line. */
  readonly main: string;
}

/** The command line of this tree, packed with a template of these times: once a test run, for every file that asks. Nobody changes it. */
export async function packCli(timing: Timing): Promise<CliPackage> {
  const bundled = await builtOnce('bundle', (folder) => bundleCli(root, folder, 'silent'));
  const name = createHash('sha256').update(JSON.stringify(timing)).digest('hex').slice(0, 12);
  const folder = await builtOnce(`cli-${name}`, async (made) => {
    mkdirSync(join(made, 'functions', 'cli'), { recursive: true });
    for (const file of ['package.json', 'functions/cli/lockkeeper.mjs', 'functions/cli/node-version.mjs']) cpSync(join(root, file), join(made, file));
    symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
    cpSync(bundled, join(made, 'dist'), { recursive: true });
    writeFileSync(join(made, 'dist', 'template.json'), JSON.stringify(synthesizeTemplate({ timing })));
  });
  return { launcher: join(folder, 'functions', 'cli', 'lockkeeper.mjs'), main: join(folder, 'dist', 'cli', 'main.mjs') };
}

/** The folder of this name, made whole beside it and then put in place: of two that make it at once the first one's stays. */
async function builtOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(inject('built'), name);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  await make(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}
