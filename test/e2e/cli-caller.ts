/** A person's folder with a plan in a git repository, and commands run in it as processes of their own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stderr has said it; rejects when the command ends without. */
  says(pattern: RegExp): Promise<void>;
}

export interface Caller {
  readonly folder: string;
  /** Variables of every command, over what a shell has. */
  readonly environment: Record<string, string>;
  plan(text: string): void;
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Ended>;
  /** Runs with `--json` and parses the one document. */
  json(...args: string[]): Promise<Ended & { readonly document: Record<string, unknown> }>;
  git(...args: string[]): string;
  /** A copy of the folder as no command works on it. Returns its path; `remove` removes it, too. */
  save(): string;
  /** Puts the folder back as it was saved, at the same path. */
  restore(saved: string): void;
  remove(): void;
}

/** Modes and times belong to it: a lock and a state folder are judged by both. */
const copies = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;

/** What a shell has, without whatever this process's own variables would say of a release. */
const shell = { PATH: process.env['PATH'] ?? '', HOME: tmpdir() };
/** Where one command's compiled bundle lies for the next one. */
const compiled = { NODE_COMPILE_CACHE: join(inject('built'), 'compiled') };

/** `program`: what is run on Node.js `node` (the one of this process by default). */
export function caller(program: string, node: string = process.execPath): Caller {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-caller-'));
  const git = (...args: string[]): string => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: shell }).trim();
  git('init', '--quiet', '--initial-branch', 'feat/checkout');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.test', 'commit', '--quiet', '--allow-empty', '--message', 'first');
  const environment: Record<string, string> = {};
  const running = new Set<ChildProcess>();
  const copiesMade: string[] = [];

  function start(...args: string[]): Running {
    const child = spawn(node, [program, ...args], { cwd: folder, env: { ...shell, ...compiled, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    const said = { stdout: '', stderr: '' };
    const told = new EventTarget();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        told.dispatchEvent(new Event('said'));
      });
    }
    const ended = once(child, 'close').then(([exit, signal]) => {
      running.delete(child);
      told.dispatchEvent(new Event('said'));
      return { exit: exit as number | null, signal: signal as NodeJS.Signals | null, ...said };
    });
    return {
      child,
      ended,
      says: async (pattern) => {
        while (!pattern.test(said.stderr)) {
          if (!running.has(child)) throw new Error(`it ended without saying ${String(pattern)}: ${said.stderr}`);
          await once(told, 'said');
        }
      },
    };
  }

  const run = (...args: string[]) => start(...args).ended;
  return {
    folder,
    environment,
    plan: (text) => writeFileSync(join(folder, 'release.plan.yaml'), text),
    start,
    run,
    json: async (...args) => {
      const ended = await run(...args, '--json');
      return { ...ended, document: JSON.parse(ended.stdout) as Record<string, unknown> };
    },
    git,
    save() {
      const saved = mkdtempSync(join(tmpdir(), 'lockkeeper-caller-saved-'));
      cpSync(folder, saved, copies);
      copiesMade.push(saved);
      return saved;
    },
    restore(saved) {
      rmSync(folder, { recursive: true, force: true });
      cpSync(saved, folder, copies);
    },
    remove: () => {
      for (const child of running) child.kill('SIGKILL');
      for (const one of [folder, ...copiesMade]) rmSync(one, { recursive: true, force: true });
    },
  };
}
