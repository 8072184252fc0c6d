#!/usr/bin/env node
/**
 * What npm puts on the path. Plain JavaScript for any Node.js from 18 on: it finds one that is new enough (the packaged one,
 * else the host's), and runs the bundled command line on it. In a checkout it builds the bundle when a source is newer.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bundle = join(root, 'dist', 'cli', 'main.mjs');
const builder = join(root, 'infra', 'build.ts');
const sources = ['adapters.ts', 'functions', 'infra', 'shared', 'events', 'test/sim', 'package-lock.json'];

const packaged = packagedNode();
if (isStale()) build(packaged ?? process.execPath);
if (runsHere(24) || (!packaged && runsHere(22, 18))) await import(pathToFileURL(bundle).href);
else if (packaged) run(packaged);
else await import('./node-version.mjs'); // says what to install, and ends the process

/** Whether the Node.js at work is this new. */
function runsHere(major, minor = 0) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** The Node.js 24 that npm installs with this package on Linux, in whichever node_modules above it lies. */
function packagedNode() {
  if (process.platform !== 'linux') return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
    // Where it cannot run (another C library), the host's has to do.
    if (existsSync(node) && (runsHere(24) || spawnSync(node, ['--version']).status === 0)) return node;
    if (folder === dirname(folder)) return undefined;
  }
}

/** A checkout is built when a source is newer than the bundle, folders included: a file may have gone. A package never is. */
function isStale() {
  if (!existsSync(builder)) return false;
  return !existsSync(bundle) || sources.some((source) => newerThan(join(root, source), statSync(bundle).mtimeMs));
}

function newerThan(path, time) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.mtimeMs > time) return true;
  return found.isDirectory() && readdirSync(path).some((name) => newerThan(join(path, name), time));
}

function build(node) {
  console.error('Building the command line, once after each change of the checkout (a few seconds) …');
  const guard = join(root, 'functions', 'cli', 'node-version.mjs');
  const { status } = spawnSync(node, ['--import', pathToFileURL(guard).href, builder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(1);
}

/** Runs the bundle in a process of its own, hands signals on, and ends as it ends. */
function run(node) {
  const child = spawn(node, [bundle, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
