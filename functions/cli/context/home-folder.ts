import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Invocation } from '../invocation.ts';

/** What the flags say when nobody typed them. */
const usual = { plan: 'release.plan.yaml', stateDir: '.lockkeeper' } as const;

/** Where a command is at work, and its flags as they are read from there. */
export interface AtHome<I> {
  readonly cwd: string;
  readonly invocation: I;
}

/**
 * The folder that plan file and state lie in, from wherever below it a command was typed, as git does it: of the folders up to the
 * repository's top the nearest one that has the plan file, else the nearest that has the state, else the top. Paths that were typed stay those
 * of the folder they were typed in. Outside of a repository a folder is its own, and so it is for an `init` that finds no plan file.
 */
export function atHome<I extends Pick<Invocation, 'plan' | 'stateDir' | 'command' | 'output' | 'ingest' | 'beside'>>(typed: string, invocation: I): AtHome<I> {
  const folders = upToTop(typed);
  const having = (name: string): string | undefined => folders.find((folder) => existsSync(join(folder, name)));
  const top = invocation.command === 'init' ? undefined : folders.at(-1);
  const cwd = having(usual.plan) ?? (invocation.command === 'init' ? undefined : having(usual.stateDir)) ?? top ?? typed;
  if (cwd === typed) return { cwd, invocation };
  const plan = invocation.plan === usual.plan ? invocation.plan : relative(cwd, resolve(typed, invocation.plan));
  const stateDir = invocation.stateDir === usual.stateDir ? invocation.stateDir : resolve(typed, invocation.stateDir);
  return { cwd, invocation: { ...invocation, plan, stateDir, ...filesOf(invocation, typed) } };
}

/** The other files that a command line names; `-` is none. */
function filesOf(named: Pick<Invocation, 'output' | 'ingest' | 'beside'>, typed: string): Pick<Invocation, 'output' | 'ingest' | 'beside'> {
  const { output, ingest, beside } = named;
  const from = (path: string): string => (path === '-' ? path : resolve(typed, path));
  return {
    ...(output === undefined ? {} : { output: resolve(typed, output) }),
    ...(ingest === undefined ? {} : { ingest: from(ingest) }),
    ...(beside === undefined ? {} : { beside: from(beside) }),
  };
}

/** The folder and those above it, the repository's top last; the folder alone outside of one. */
function upToTop(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; !existsSync(join(at, '.git')); ) {
    const above = dirname(at);
    if (above === at) return [folder];
    folders.push(above);
    at = above;
  }
  return folders;
}
