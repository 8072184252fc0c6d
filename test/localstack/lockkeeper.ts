import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Endpoint, variablesOf } from './endpoint.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a command came to. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a process of its own, as a person with credentials for the endpoint would. */
export function lockkeeper(endpoint: Endpoint, args: readonly string[], more: Readonly<Record<string, string>> = {}, cwd = root): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, 'functions', 'cli', 'main.ts'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...variablesOf(endpoint), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const way of ['stdout', 'stderr'] as const) {
    child[way].setEncoding('utf8').on('data', (text: string) => {
      said[way] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, ...said }));
  });
}
