import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const report = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

interface Verdict {
  readonly modules: number;
  /** `rule: from → to`, sorted. */
  readonly violations: string[];
}

/** Runs the project's own rules over the folders of a tree. */
function judge(tree: string, folders: string[]): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const args = [tool, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...folders];
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const parsed = report.safeParse(stdout === '' ? undefined : JSON.parse(stdout));
      if (!parsed.success) return reject(error ?? new Error(stderr));
      const { totalCruised, violations } = parsed.data.summary;
      resolve({ modules: totalCruised, violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort() });
    });
  });
}

const trees: string[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** A small tree in which each file imports what is named for it. The SDK is a stub in its node_modules. */
function plant(imports: Readonly<Record<string, string>>): string {
  const tree = mkdtempSync(join(tmpdir(), 'lockkeeper-rules-'));
  trees.push(tree);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };
  write('package.json', '{"type":"module","dependencies":{"@aws-sdk/client-sqs":"*","@octokit/core":"*"}}');
  for (const name of ['@aws-sdk/client-sqs', '@octokit/core']) {
    write(`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`);
    write(`node_modules/${name}/index.js`, 'export const x = 1;');
  }
  for (const target of Object.values(imports)) if (target.endsWith('.ts') && !target.includes('nowhere')) write(target, 'export const x = 1;');
  for (const [file, target] of Object.entries(imports)) {
    const specifier = target.endsWith('.ts') ? `${'../'.repeat(file.split('/').length - 1)}${target}` : target;
    write(file, `import { x } from '${specifier}';\nexport const y = x;`);
  }
  return tree;
}

const judgePlanted = (imports: Readonly<Record<string, string>>): Promise<Verdict> => {
  const folders = new Set(Object.keys(imports).map((file) => file.split('/')[0] ?? ''));
  return judge(plant(imports), [...folders]);
};

describe('the dependency rules', () => {
  it('hold for the whole project, and see all of it', async () => {
    const verdict = await judge(root, ['functions', 'infra', 'shared', 'events', 'test']);
    expect(verdict.violations).toEqual([]);
    expect(verdict.modules).toBeGreaterThan(100);
  });

  it('catch one planted offender for each rule: the core knows no provider (R1.4) and no command line (R1.5), a fake shares nothing with an adapter (R1.8)', async () => {
    const verdict = await judgePlanted({
      'shared/plan/unresolved.ts': 'shared/plan/nowhere.ts',
      'shared/lease/lease.ts': '@aws-sdk/client-sqs',
      'shared/run/host.ts': '@octokit/core',
      'events/message.ts': 'functions/schedule/handler.ts',
      'shared/engine/apply.ts': 'shared/adapters/neon/branch.ts',
      'shared/ledger/settle.ts': 'shared/surfaces/card.ts',
      'shared/adapters/clerk/write.ts': 'shared/ledger/entry.ts',
      'test/sim/neon/routes.ts': 'shared/adapters/neon/paths.ts',
      'shared/surfaces/comment.ts': 'test/sim/github/server.ts',
      'shared/platform/table.ts': 'infra/local/ports.ts',
      'functions/line-worker/handler.ts': 'infra/timing.ts',
      'infra/stack.ts': 'test/ports/clock.ts',
      'functions/github-webhook/handler.ts': 'shared/platform/through.ts',
      'shared/platform/through.ts': 'shared/adapters/vercel/env.ts',
    });
    expect(verdict.violations).toEqual([
      'adapters-know-no-engine-parts: shared/adapters/clerk/write.ts → shared/ledger/entry.ts',
      'adapters-share-nothing-with-fakes: shared/surfaces/comment.ts → test/sim/github/server.ts',
      'domain-knows-no-cloud: shared/lease/lease.ts → node_modules/@aws-sdk/client-sqs/index.js',
      'domain-knows-no-cloud: shared/run/host.ts → node_modules/@octokit/core/index.js',
      'domain-knows-no-outside: events/message.ts → functions/schedule/handler.ts',
      'domain-knows-no-outside: shared/platform/table.ts → infra/local/ports.ts',
      'domain-knows-no-outside: shared/surfaces/comment.ts → test/sim/github/server.ts',
      'engine-knows-no-adapter: shared/engine/apply.ts → shared/adapters/neon/branch.ts',
      'fakes-share-nothing-with-adapters: test/sim/neon/routes.ts → shared/adapters/neon/paths.ts',
      'functions-know-no-infrastructure: functions/line-worker/handler.ts → infra/timing.ts',
      'local-is-known-to-nobody: shared/platform/table.ts → infra/local/ports.ts',
      'not-resolved: shared/plan/unresolved.ts → ../../shared/plan/nowhere.ts',
      'only-a-run-publishes: shared/ledger/settle.ts → shared/surfaces/card.ts',
      'tests-stay-out-of-the-product: infra/stack.ts → test/ports/clock.ts',
      'webhook-stays-small: functions/github-webhook/handler.ts → shared/adapters/vercel/env.ts',
    ]);
  });

  it('leave alone what the layout allows', async () => {
    const verdict = await judgePlanted({
      'shared/platform/queues.ts': '@aws-sdk/client-sqs',
      'shared/surfaces/github.ts': '@octokit/core',
      'shared/adapters/neon/branch.ts': 'shared/engine/op.ts',
      'shared/adapters/neon/branch.test.ts': 'test/sim/neon/server.ts',
      'shared/run/publish.ts': 'shared/surfaces/check.ts',
      'shared/lease/lease.test.ts': 'test/ports/memory-table.ts',
      'functions/cli/sim.ts': 'test/sim/cloud.ts',
      'functions/cli/stack.ts': 'infra/local/stack.ts',
      'functions/line-worker/handler.ts': 'shared/adapters/registry.ts',
      'functions/github-webhook/handler.ts': 'shared/platform/table.ts',
      'test/e2e/start.ts': 'infra/local/start.ts',
    });
    expect(verdict).toEqual({ modules: expect.any(Number), violations: [] });
    expect(verdict.modules).toBeGreaterThan(15);
  });
});

describe('the lint rule against circular imports', () => {
  it('finds a circle, and none where only types refer back', async () => {
    const tree = plant({ 'shared/a.ts': 'shared/b.ts', 'shared/b.ts': 'shared/a.ts', 'shared/c.ts': 'shared/d.ts' });
    writeFileSync(join(tree, 'shared/d.ts'), "import type { y } from './c.ts';\nexport const x: typeof y | 1 = 1;\n");
    copyFileSync(join(root, 'biome.json'), join(tree, 'biome.json'));
    expect(await circles(tree)).toEqual(['shared/a.ts', 'shared/b.ts']);
  });
});

const findings = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.union([z.string(), z.object({ file: z.string() })]) }) })),
});

/** Files that Biome, under the project's configuration, finds on a circle. */
function circles(tree: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const args = [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--vcs-enabled=false',
      '--only=suspicious/noImportCycles',
      '--reporter=json',
      tree,
    ];
    execFile(process.execPath, args, { cwd: tree }, (error, stdout, stderr) => {
      const parsed = findings.safeParse(stdout === '' ? undefined : JSON.parse(stdout));
      if (!parsed.success) return reject(error ?? new Error(stderr));
      const files = parsed.data.diagnostics.map(({ location: { path } }) => (typeof path === 'string' ? path : path.file));
      resolve(files.map((file) => file.replace(`${tree}/`, '')).sort());
    });
  });
}
