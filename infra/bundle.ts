import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type LogLevel, type Metafile } from 'esbuild';

/** The entry points, by folder below `functions/`: what the stack deploys. */
export const entries = ['github-webhook', 'slack-interaction', 'schedule', 'run-controller', 'line-worker', 'dead-letter'] as const;

export interface Bundle {
  /** `functions/<entry>` or `cli`. */
  readonly name: string;
  readonly bytes: number;
}

export interface Bundled {
  readonly bundles: readonly Bundle[];
  /** Source files of entries that do not exist, relative to the root. */
  readonly missing: readonly string[];
}

/** Packages that cannot or need not be part of a file: native code, the emulators, and what only builds. */
const beside = ['dynalite', 'fauxqs', 'classic-level', 'aws-cdk-lib', 'aws-cdk-lib/*', 'constructs', 'cdk-nag', 'esbuild'];

/**
 * One file per function with the AWS SDK inside, so that a cold start reads one file and the versions are ours. Whitespace
 * and syntax are shortened, since every byte is parsed at a cold start; names stay, so that a stack trace can be read even
 * where the map is not at hand. Dependencies in CommonJS call `require`, which an ES module has to make for itself.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  banner: { js: "import { createRequire as lockkeeperRequire } from 'node:module'; const require = lockkeeperRequire(import.meta.url);" },
  outExtension: { '.js': '.mjs' },
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
} as const satisfies BuildOptions;

/** An adapter from elsewhere imports the package; here, that is the sources, so that there is one class of errors and not two. */
const alias = (root: string) => ({ 'lockkeeper/adapter': join(root, 'shared/adapters/kit.ts') });

/**
 * Bundles every function under `root`/functions into `outdir`/functions/<entry>/index.mjs, and the command line, where it
 * exists, into `outdir`/cli. What an earlier build left there is removed.
 *
 * @throws when esbuild cannot resolve or parse something; it has printed where.
 */
export async function bundle(root: string, outdir: string, logLevel: LogLevel = 'warning'): Promise<Bundled> {
  const sources = entries.map((entry) => ({ entry, file: `functions/${entry}/handler.ts` }));
  const there = sources.filter(({ file }) => existsSync(join(root, file)));
  rmSync(join(outdir, 'functions'), { recursive: true, force: true });
  const functions = await build({
    ...options,
    alias: alias(root),
    logLevel,
    absWorkingDir: root,
    entryPoints: there.map(({ entry, file }) => ({ in: file, out: `functions/${entry}/index` })),
    outdir,
  });
  const bundles = [...sizes(functions.metafile), ...(await bundleToolJob(root, outdir, logLevel)), ...(await bundleCli(root, outdir, logLevel))];
  return { bundles, missing: sources.filter((source) => !there.includes(source)).map(({ file }) => file) };
}

/** The program that a tool job is: for the Node.js of AWS's build image, which is older than that of the functions. */
const toolJob = 'functions/tool-job/main.ts';

async function bundleToolJob(root: string, outdir: string, logLevel: LogLevel): Promise<Bundle[]> {
  if (!existsSync(join(root, toolJob))) return [];
  const entryPoints = [{ in: toolJob, out: 'functions/tool-job/index' }];
  return sizes((await build({ ...options, alias: alias(root), target: 'node22', logLevel, absWorkingDir: root, entryPoints, outdir })).metafile);
}

/** The command line, and the programs of the embedded stack that run in a thread or a process and are looked for beside it. */
const cliSources = [
  { in: 'functions/cli/main.ts', out: 'cli/main' },
  { in: 'infra/local/data-plane/thread.ts', out: 'cli/data-plane-thread' },
  { in: toolJob, out: 'cli/tool-job' },
];

/**
 * Bundles the command line into `outdir`/cli, with the functions inside: the embedded stack runs them in its process. It is made
 * for the oldest Node.js that may run it, and leaves the emulators outside, to be installed beside it.
 */
export async function bundleCli(root: string, outdir: string, logLevel: LogLevel = 'warning'): Promise<Bundle[]> {
  rmSync(join(outdir, 'cli'), { recursive: true, force: true });
  const entryPoints = cliSources.filter((source) => existsSync(join(root, source.in)));
  if (entryPoints.length === 0) return [];
  const made = await build({ ...options, alias: alias(root), target: 'node22', logLevel, absWorkingDir: root, external: beside, entryPoints, outdir });
  // The program of tool jobs is deployed by itself, and has its size there.
  return sizes(made.metafile).filter(({ name }) => `${name}/main.ts` !== toolJob);
}

function sizes({ outputs }: Metafile): Bundle[] {
  const files = Object.entries(outputs).flatMap(([path, { bytes, entryPoint }]) => (entryPoint === undefined ? [] : [{ bytes, entryPoint, path }]));
  return files.map(({ bytes, entryPoint }) => ({ name: entryPoint.replace(/\/(handler|main)\.ts$/, ''), bytes }));
}
