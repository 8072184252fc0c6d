/** A release to production from a terminal, against the fake cloud: the plan, what is asked, and what lies where afterwards. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { demo } from '../sim/seed.ts';
import type { Caller } from './cli-caller.ts';

/** A plan for production: a database branch, and a variable that holds its address and one of its own. */
export const planOf = (mode: string) => `version: 1
providers:
  neon: { project: ${demo.neonProject} }
  vercel: { project: ${demo.vercelProjectName} }
changes:
  - { id: db, adapter: neon, op: branch }
  - id: vars
    adapter: vercel
    op: env
    values:
      DATABASE_URL: { from: db.connection_string }
      PAYMENT: { secret: env://PAYMENT_DSN }
      MODE: ${mode}
`;

export interface Asked {
  readonly run: string;
  readonly digest: string;
  readonly expiresAt: string;
  readonly commands: { readonly approve: string; readonly reject: string };
  readonly receipt: {
    readonly status: string;
    readonly stops?: readonly object[];
    readonly lines: readonly { readonly id: string; readonly status: string }[];
  };
}

export const apply = ['apply', '--sim', '--env', 'production'] as const;

/** Applies the plan of the folder, which is put to people. */
export async function ask(me: Caller): Promise<Asked> {
  const { exit, document } = await me.json(...apply);
  expect({ exit, document }).toMatchObject({ exit: 2, document: { ok: false, command: 'apply', error: { code: 'ENV_NOT_APPROVED' } } });
  return document as unknown as Asked;
}

const cloudFile = (me: Caller): string => join(me.folder, '.lockkeeper/sim/cloud.json');
export const cloud = (me: Caller): string => readFileSync(cloudFile(me), 'utf8');

interface CloudVariables {
  readonly vercel: { readonly projects: { readonly name: string; variables: { readonly key: string; readonly target: readonly string[] }[] }[] };
}

/** Somebody removes a variable at the provider, while no command runs. */
export function removeVariable(me: Caller, key: string): void {
  const all = JSON.parse(cloud(me)) as CloudVariables;
  for (const project of all.vercel.projects) project.variables = project.variables.filter((one) => one.key !== key);
  writeFileSync(cloudFile(me), JSON.stringify(all));
}

/** Names of the variables at the provider, but for the one that was always there. */
export const variables = (me: Caller): string[] =>
  (JSON.parse(cloud(me)) as CloudVariables).vercel.projects
    .flatMap((project) => project.variables.map((one) => one.key))
    .filter((key) => key !== 'NEXT_PUBLIC_SITE_NAME');

/** Every file of the state but the fake cloud's own, as one text. */
export const stored = (me: Caller): string =>
  readdirSync(join(me.folder, '.lockkeeper'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'cloud.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

export const listedRuns = async (me: Caller) =>
  (await me.json('runs', '--sim')).document as unknown as { questions: { digest: string }[]; runs: { run: string; status: string | null }[] };
