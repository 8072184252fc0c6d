import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDriftDocument } from '../../../../shared/drift/document.ts';
import { foldDriftLines } from '../../../../shared/drift/fold-stream.ts';
import type { ReadDocument } from '../../../../shared/drift/read-document.ts';
import { decodeDriftLines } from '../../../../shared/drift/stream.ts';
import { createRedactor } from '../../../../shared/redact/redactor.ts';
import { parseCommandLine } from '../../command-line.ts';
import { driftCommand } from '../../commands/drift.ts';
import { createConsole } from '../../console.ts';
import { type Clone, cloned } from '../../stack/clone.fixture.ts';

const plan = `version: 1
environments: [preview, production]
changes:
  - id: network
    use: terraform.root
    environments: [production]
    path: infra
    variables: { password: { secret: env://DB_PASSWORD }, name: '\${ctx.env}' }
  - id: elsewhere
    use: terraform.root
    path: nowhere
`;
const recordings = join(import.meta.dirname, '../../../../test/recordings');

let clone: Clone;
let bin: string;
beforeAll(() => {
  const lines = plan.replaceAll(/ {4}use: terraform\.root\n/g, '    adapter: terraform\n    op: root\n');
  clone = cloned({ 'release.plan.yaml': lines, 'infra/main.tf': '' });
  bin = join(clone.folder, '../bin');
  mkdirSync(bin);
});
afterAll(() => clone.remove());
beforeEach(() => terraform({}));

/** A program called terraform that answers with recordings, and keeps what it was called with and what it saw. */
function terraform({ plan: planExit = 0, show = 'terraform-drift/plan-drift.json', state = 'terraform-drift/state-before.json', version = '1.11.4' }): void {
  const program = `#!/bin/sh
echo "$PWD $*" >> '${bin}/calls'
env > '${bin}/environment'
case "$1" in
  version) echo '{"terraform_version":"${version}"}' ;;
  plan) for one in "$@"; do case "$one" in -var-file=*) cp "\${one#-var-file=}" '${bin}/values' ;; esac; done; exit ${planExit} ;;
  show) if [ -n "$4" ]; then cat '${recordings}/${show}'; else cat '${recordings}/${state}'; fi ;;
  *) exit 3 ;;
esac
`;
  writeFileSync(join(bin, 'terraform'), program);
  chmodSync(join(bin, 'terraform'), 0o755);
  writeFileSync(join(bin, 'calls'), '');
}

/** What one command line comes to, and what it was said beside. */
async function drift(...argv: string[]) {
  const said = { out: '', err: '' };
  const redactor = createRedactor();
  const write = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
  };
  const way = (name: 'out' | 'err') => ({ write: write(name), isTTY: false, columns: 100 });
  const console = createConsole({ stdout: way('out'), stderr: way('err'), redactor, colour: false });
  const parsed = parseCommandLine(['drift', ...argv], '1.2.3');
  if (!('invocation' in parsed)) throw new Error('it was not parsed');
  const environment = {
    PATH: `${bin}:${process.env['PATH']}`,
    DB_PASSWORD: 'CANARY-hunter2-of-this-machine',
    AWS_PROFILE: 'mine',
    LOCKKEEPER_OWN: 'x',
    TF_WORKSPACE: 'other',
  };
  const surroundings = { redactor, console, cwd: clone.folder, environment, signal: new AbortController().signal, log: () => undefined };
  const answer = await driftCommand(parsed.invocation, surroundings, '1.2.3');
  const printed = answer.text(console.screen);
  console.end();
  return { exit: answer.exit, problem: answer.problem?.code, printed, complained: said.err };
}

const documentOf = (answer: Awaited<ReturnType<typeof drift>>) => parseDriftDocument(answer.printed) as ReadDocument & { readonly stack?: unknown };
const calls = () =>
  readFileSync(join(bin, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\S+ /, ''));

describe('drift of a line that is a stack', () => {
  it('is one document of the tool’s records, and the exit is 0, drift or not (R3.13, R3.27, R3.32)', async () => {
    const answer = await drift('--member', 'network', '--read', 'plan', '--env', 'production');
    expect(answer).toMatchObject({ exit: 0, problem: undefined });
    expect(documentOf(answer)).toMatchObject({
      contract: 1,
      member: 'network',
      environment: 'production',
      stack: { tool: 'terraform', path: 'infra' },
      counts: { drifted: 3, missing: 3, 'in-sync': 2 },
    });
    expect(answer.printed + answer.complained).not.toContain('CANARY');
  });

  it('runs the tool where the root lies, as the person who types it would, with the line’s own values for that call alone', async () => {
    await drift('--member', 'network', '--read', 'plan');
    expect(
      new Set(
        readFileSync(join(bin, 'calls'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      ),
    ).toEqual(new Set([join(clone.folder, 'infra')]));
    expect(JSON.parse(readFileSync(join(bin, 'values'), 'utf8'))).toEqual({ password: 'CANARY-hunter2-of-this-machine', name: 'production' });
    const seen = readFileSync(join(bin, 'environment'), 'utf8');
    expect(seen).toContain('AWS_PROFILE=mine');
    expect(seen).not.toMatch(/^(?:LOCKKEEPER_OWN|TF_WORKSPACE)=/m);
    expect(calls().map((line) => line.split(' ')[0])).toEqual(['version', 'plan', 'show']);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('lockkeeper-drift-'))).toEqual([]);
    expect(readdirSync(join(clone.folder, 'infra'))).toEqual(['main.tf']);
  });

  it('reads what is recorded where nothing else is asked for, which never fails a build', async () => {
    const answer = await drift('--member', 'network', '--fail-on-drift');
    expect(answer.exit).toBe(0);
    expect(new Set(documentOf(answer).records.map(({ status, read }) => `${status} ${read}`))).toEqual(new Set(['recorded state']));
  });

  it('ends with 1 and DRIFT_FOUND with --fail-on-drift', async () => {
    expect(await drift('--member', 'network', '--read', 'plan', '--fail-on-drift')).toMatchObject({ exit: 1, problem: 'DRIFT_FOUND' });
  });

  it('is a stream with --stream, and says in its start from which read it fell back (R3.23, R3.25)', async () => {
    const whole = (await drift('--member', 'network', '--read', 'plan', '--stream')).printed;
    expect(foldDriftLines(decodeDriftLines(whole), '2027-01-01T00:00:00Z').doubts).toEqual([]);
    terraform({ plan: 1 });
    const fallen = await drift('--member', 'network', '--read', 'plan', '--stream');
    expect(JSON.parse(fallen.printed.split('\n')[0] ?? '')).toMatchObject({ type: 'drift-start', engine: 'terraform', read: 'state', fellBackFrom: 'plan' });
    expect(fallen).toMatchObject({ exit: 0, complained: expect.stringContaining('What is recorded was read in its place') });
  });

  it('is one block, or one resource, with --resource; one that the read did not come to is not observed', async () => {
    const of = async (address: string) =>
      documentOf(await drift('--member', 'network', '--read', 'plan', '--resource', address)).records.map((one) => `${one.status} ${one.address}`);
    expect(await of('restapi_object.member')).toEqual(['in-sync restapi_object.member["api.v2"]', 'drifted restapi_object.member["web"]']);
    expect(await of('restapi_object.member["web"]')).toEqual(['drifted restapi_object.member["web"]']);
    expect(await of('restapi_object.nowhere')).toEqual(['not-observed restapi_object.nowhere']);
  });

  it('shows the values of what --show or policy lists, and of nothing else', async () => {
    expect((await drift('--member', 'network', '--read', 'plan', '--show', 'restapi_object#api_data.name')).printed).toContain('edited-by-hand');
    clone.write({ 'lockkeeper.yaml': "version: 1\nenvironments:\n  production: { drift: { show: ['restapi_object#api_data.name'] } }\n" });
    expect((await drift('--member', 'network', '--read', 'plan')).printed).toContain('edited-by-hand');
    clone.write({ 'lockkeeper.yaml': 'version: 1\n' });
    expect((await drift('--member', 'network', '--read', 'plan')).printed).not.toContain('edited-by-hand');
  });

  it('that nothing at all was observed of says so in its record, and ends with 1', async () => {
    terraform({ version: '1.4.0' });
    const answer = await drift('--member', 'network', '--read', 'plan');
    expect(answer).toMatchObject({ exit: 1, problem: 'DRIFT_NOT_READ', complained: expect.stringContaining('1.5.0 is the least') });
    expect(documentOf(answer).records).toEqual([expect.objectContaining({ address: 'network', status: 'not-observed', node: null })]);
  });

  it.each([
    ['read-unsupported', ['--member', 'network', '--read', 'refresh']],
    ['read-unsupported', ['--member', 'network', '--read', 'live-read']],
    ['read-unsupported', ['--member', 'network', '--components']],
    ['no-drift-read', ['--member', 'network', '--env', 'preview']],
    ['no-drift-read', ['--member', 'nothing']],
    ['env-required', ['--member', 'elsewhere']],
    ['command-failed', ['--member', 'elsewhere', '--env', 'preview']],
  ])('is refused with %s, without records, and nothing is run (R3.28)', async (code, argv) => {
    const answer = await drift(...argv);
    expect(answer.exit).toBe(1);
    expect(documentOf(answer)).toMatchObject({ records: [], error: { code } });
    expect(calls()).toEqual(['']);
    expect(await drift(...argv, '--stream')).toMatchObject({ exit: 1, printed: '' });
  });

  it('has nothing to list for lines that are no stacks', async () => {
    await expect(drift('--show', 'a#b')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(drift('--member', 'network', '--show', 'a')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
