/** The command line as it is installed: launcher, bundle and template in a folder without the sources. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCli } from '../../infra/bundle.ts';
import { synthesizeTemplate } from '../../infra/template.ts';
import type { Timing } from '../../infra/timing.ts';

const root = join(import.meta.dirname, '..', '..');

export interface CliPackage {
  /** What npm puts on the path; runs on any Node.js. */
  readonly launcher: string;
  /** The bundled command line. */
  readonly main: string;
  remove(): void;
}

/** Packs the command line of this tree with a template of these times. */
export async function packCli(timing: Timing): Promise<CliPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-cli-'));
  mkdirSync(join(folder, 'functions', 'cli'), { recursive: true });
  for (const name of ['package.json', 'functions/cli/lockkeeper.mjs', 'functions/cli/node-version.mjs']) cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  await bundleCli(root, join(folder, 'dist'), 'silent').catch((error: unknown) => {
    remove();
    throw error;
  });
  writeFileSync(join(folder, 'dist', 'template.json'), JSON.stringify(synthesizeTemplate({ timing })));
  return {
    launcher: join(folder, 'functions', 'cli', 'lockkeeper.mjs'),
    main: join(folder, 'dist', 'cli', 'main.mjs'),
    remove,
  };
}
