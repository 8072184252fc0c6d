import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDriftDocument } from '../../../shared/drift/document.ts';
import { foldDriftLines } from '../../../shared/drift/fold-stream.ts';
import type { ReadDocument } from '../../../shared/drift/read-document.ts';
import { decodeDriftLines } from '../../../shared/drift/stream.ts';
import { createRedactor } from '../../../shared/redact/redactor.ts';
import { parseCommandLine } from '../command-line.ts';
import { createConsole } from '../console.ts';
import { atHome } from '../context/home-folder.ts';
import { ingestCommand } from './ingest.ts';

const recordings = join(import.meta.dirname, '../../../test/recordings');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingest-'));
  copyFileSync(join(recordings, 'terraform-drift/plan-drift.json'), join(folder, 'plan.json'));
  copyFileSync(join(recordings, 'pulumi/refresh-drift.json'), join(folder, 'refresh.json'));
  copyFileSync(join(recordings, 'pulumi/refresh-drift.ndjson'), join(folder, 'refresh.ndjson'));
  copyFileSync(join(recordings, 'terraform/state.json'), join(folder, 'state.json'));
  copyFileSync(join(recordings, 'pulumi/preview-noop.json'), join(folder, 'preview.json'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What one command line comes to, without a process. */
const ingest = (...argv: string[]) => ingestWith({}, ...argv);

async function ingestWith(environment: Readonly<Record<string, string>>, ...argv: string[]) {
  const said = { out: '', err: '' };
  const redactor = createRedactor();
  const write = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
  };
  const way = (name: 'out' | 'err') => ({ write: write(name), isTTY: false, columns: 100 });
  const console = createConsole({ stdout: way('out'), stderr: way('err'), redactor, colour: false });
  const parsed = parseCommandLine(['drift', 'ingest', ...argv], '1.2.3');
  if (!('invocation' in parsed)) throw new Error('it was not parsed');
  const { invocation, cwd } = atHome(folder, parsed.invocation);
  const surroundings = { redactor, console, cwd, environment, signal: new AbortController().signal, log: () => undefined };
  const answer = await ingestCommand(invocation, surroundings, '1.2.3', Readable.from(slowly()));
  const printed = answer.text(console.screen);
  console.end();
  return { exit: answer.exit, problem: answer.problem?.code, printed, complained: said.err };
}

/** Stdin of somebody who is still writing: half of it now, half of it later. */
async function* slowly() {
  const bytes = readFileSync(at('refresh.ndjson'));
  yield bytes.subarray(0, 5000);
  await new Promise((resolve) => setImmediate(resolve));
  yield bytes.subarray(5000);
}

const at = (name: string) => join(folder, name);
const documentOf = async (answer: ReturnType<typeof ingest>) => parseDriftDocument((await answer).printed) as ReadDocument;

describe('drift ingest', () => {
  it('prints one document with the head of the read contract, and says on the side what it took the input for (R3.13, R3.32)', async () => {
    const answer = await ingest(at('plan.json'), '--member', 'network');
    expect(answer).toMatchObject({ exit: 0, problem: undefined, complained: expect.stringContaining('read as a Terraform or OpenTofu plan') });
    expect(parseDriftDocument(answer.printed)).toMatchObject({
      contract: 1,
      member: 'network',
      lockkeeper: '1.2.3',
      input: 'a Terraform or OpenTofu plan',
      counts: { drifted: 3, missing: 3, 'in-sync': 2 },
    });
    expect(answer.printed + answer.complained).not.toContain('CANARY');
  });

  it('places records below the root that has the member’s name (R3.17)', async () => {
    const nodes = (await documentOf(ingest(at('plan.json'), '--member', 'network'))).records.map(({ node }) => node);
    expect(nodes).toContain('network/network/module.inner/restapi_object.child');
  });

  it('ends with 1 and DRIFT_FOUND with --fail-on-drift, and prints the same', async () => {
    const failed = await ingest(at('plan.json'), '--member', 'network', '--fail-on-drift');
    expect(failed).toMatchObject({ exit: 1, problem: 'DRIFT_FOUND', complained: expect.stringContaining('3 drifted, 3 missing') });
    expect(failed.printed).toBe((await ingest(at('plan.json'), '--member', 'network')).printed);
    expect(await ingest(at('state.json'), '--member', 'network', '--fail-on-drift')).toMatchObject({ exit: 0, problem: undefined });
  });

  it('says that a read is not clean, beside the document and in it', async () => {
    const answer = await ingest(at('refresh.json'), '--member', 'web');
    expect(answer.complained).toContain('counts more changes than the document shows');
    expect(answer.complained).toContain('3 records could not be observed');
    expect(parseDriftDocument(answer.printed)).toMatchObject({ notes: [expect.stringContaining('counts more changes')] });
  });

  it('is a stream of the tool’s engine with --stream, a list with --text, and a file with -o', async () => {
    const streamed = (await ingest('-', '--member', 'web', '--stream')).printed;
    expect(JSON.parse(streamed.split('\n')[0] ?? '')).toMatchObject({ type: 'drift-start', engine: 'pulumi', read: 'refresh' });
    expect(foldDriftLines(decodeDriftLines(streamed), '2026-12-01T00:00:00Z').doubts).toEqual([]);
    expect((await ingest(at('refresh.ndjson'), '--member', 'web', '--text')).printed).toContain('Member web: 2 in sync, 3 drifted, 1 missing');
    expect((await ingest(at('refresh.ndjson'), '--member', 'web', '-o', 'drift.json')).printed).toBe('');
    expect(parseDriftDocument(readFileSync(at('drift.json'), 'utf8')).records).toHaveLength(6);
  });

  it('is refused before anything is read where its file cannot be written, and the file is named once', async () => {
    const refused = ingest(at('nowhere.json'), '--member', 'web', '-o', join('no-such-folder', 'x.json'));
    await expect(refused).rejects.toMatchObject({
      problem: { code: 'USAGE', message: expect.stringMatching(/no-such-folder\/x\.json cannot be written: ENOENT\.$/) },
    });
  });

  it('says which of its flags about values came to nothing', async () => {
    const { complained } = await ingest(at('state.json'), '--member', 'network', '--env', 'nope', '--show', 'no_such#x', '--show', 'terraform_data#content');
    expect(complained).toContain('--show `no_such#x` shows nothing');
    expect(complained).toContain('lockkeeper.yaml says nothing of an environment `nope`');
    expect(complained).not.toContain('terraform_data#content` shows nothing');
  });

  it('says of another document of the same tool which one to give', async () => {
    const { complained } = await ingest(at('preview.json'), '--member', 'web');
    expect(complained).toContain('pulumi refresh --preview-only --json');
  });

  it('says of a document without a time that it was read when it was written', async () => {
    utimesSync(at('state.json'), new Date(), new Date('2026-11-30T12:00:00Z'));
    expect((await documentOf(ingest(at('state.json'), '--member', 'network'))).records[0]?.observedAt).toBe('2026-11-30T12:00:00.000Z');
  });
});

describe('fingerprints of what is not shown', () => {
  const secret = 'CANARY-0123456789abcdef0123456789abcdef';
  const fingerprintsOf = async (member: string, environment: Readonly<Record<string, string>>) => {
    const document = parseDriftDocument((await ingestWith(environment, at('plan.json'), '--member', member)).printed);
    return document.records.flatMap(({ attributes = [] }) => attributes.flatMap(({ fingerprints }) => fingerprints ?? []));
  };

  it('are made under the key of the variable, each member’s apart, and the key is printed nowhere (I1)', async () => {
    const environment = { LOCKKEEPER_FINGERPRINT_KEY: secret };
    const [one, again, other] = await Promise.all(['network', 'network', 'web'].map((member) => fingerprintsOf(member, environment)));
    expect(one?.length).toBeGreaterThan(3);
    expect(again).toEqual(one);
    const all = (found: typeof one) => new Set(found?.flatMap(({ key, before, after }) => [key, before, after]));
    expect([...all(one)].filter((mac) => mac !== undefined && all(other).has(mac))).toEqual([]);
    const { printed, complained } = await ingestWith(environment, at('plan.json'), '--member', 'network');
    expect(printed + complained).not.toContain('CANARY');
    expect(complained).toBe('This was read as a Terraform or OpenTofu plan.\n');
  });

  it('are others under another key, and not comparable', async () => {
    const [one, other] = await Promise.all([secret, `${secret}!`].map((value) => fingerprintsOf('network', { LOCKKEEPER_FINGERPRINT_KEY: value })));
    expect(one?.[0]?.key).not.toBe(other?.[0]?.key);
    expect(one?.[0]?.after).not.toBe(other?.[0]?.after);
  });

  it('are not there without a key, which stderr says where it matters', async () => {
    expect(await fingerprintsOf('network', {})).toEqual([]);
    expect((await ingest(at('plan.json'), '--member', 'network')).complained).toContain('set LOCKKEEPER_FINGERPRINT_KEY');
    expect((await ingest(at('state.json'), '--member', 'network')).complained).not.toContain('LOCKKEEPER_FINGERPRINT_KEY');
  });

  it('are refused under a key that somebody typed', async () => {
    const short = ingestWith({ LOCKKEEPER_FINGERPRINT_KEY: 'CANARY' }, at('plan.json'), '--member', 'network');
    await expect(short).rejects.toMatchObject({ problem: { code: 'KEY_INVALID', hint: expect.stringContaining('LOCKKEEPER_FINGERPRINT_KEY') } });
    await expect(short).rejects.not.toThrow('CANARY');
  });
});

describe('what may be shown', () => {
  const shown = async (...argv: string[]) => (await ingest(at('plan.json'), '--member', 'network', ...argv)).printed;

  it('is nothing, unless it is listed with --show', async () => {
    expect(await shown()).not.toContain('edited-by-hand');
    expect(await shown('--show', 'restapi_object#api_data.name')).toContain('edited-by-hand');
    expect(await shown('--show', 'terraform_data#content', '--show', 'restapi_object#api_data')).toContain('edited-by-hand');
    expect(await shown('--show', 'restapi_object#api_data', '--show', 'restapi_object#data', '--show', 'restapi_object#api_response')).not.toContain('CANARY');
  });

  it('is what policy lists for the environment that --env names', async () => {
    writeFileSync(at('lockkeeper.yaml'), "version: 1\nenvironments:\n  production: { drift: { show: ['restapi_object#api_data.name'] } }\n");
    expect(await shown('--env', 'production')).toContain('edited-by-hand');
    expect(await shown('--env', 'preview')).not.toContain('edited-by-hand');
    expect(await shown()).not.toContain('edited-by-hand');
    writeFileSync(at('lockkeeper.yaml'), 'version: 1\nenvironments:\n  production: { drift: { show: [name] } }\n');
    await expect(shown('--env', 'production')).rejects.toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }));
    rmSync(at('lockkeeper.yaml'));
  });

  it('is refused where it is no type and path', async () => {
    await expect(shown('--show', 'api_data')).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

describe('an input that cannot be read', () => {
  it('is a document without records and with an error, and the exit is 1 (R3.28)', async () => {
    writeFileSync(at('cut.json'), readFileSync(at('plan.json')).subarray(0, 5000));
    const answer = await ingest(at('cut.json'), '--member', 'network');
    expect(answer).toMatchObject({ exit: 1, problem: 'DRIFT_INPUT_INVALID' });
    expect(parseDriftDocument(answer.printed)).toMatchObject({
      records: [],
      error: { code: 'command-failed', message: expect.stringMatching(/^DRIFT_INPUT_INVALID: .* on line 1, column 5001\.$/) },
    });
    expect(answer.printed + answer.complained).not.toContain('CANARY');
  });

  it('prints nothing on stdout with --stream, and why on stderr (R3.29)', async () => {
    expect(await ingest(at('cut.json'), '--member', 'network', '--stream')).toMatchObject({
      exit: 1,
      printed: '',
      complained: expect.stringContaining('column 5001'),
    });
  });

  it('needs a member, which no input names (R3.28)', async () => {
    expect(await documentOf(ingest(at('plan.json')))).toMatchObject({ records: [], error: { code: 'member-required' } });
  });

  it('is another engine’s than the one that was named', async () => {
    expect(await ingest(at('plan.json'), '--member', 'network', '--engine', 'pulumi')).toMatchObject({ exit: 1, problem: 'DRIFT_INPUT_INVALID' });
  });

  it.each([
    ['a file that is not there', ['nowhere.json', '--member', 'x']],
    ['a folder', ['.', '--member', 'x']],
    ['a read that is to be made', ['plan.json', '--member', 'x', '--stack', 'lockkeeper']],
    ['a flag of a read', ['plan.json', '--member', 'x', '--read', 'state']],
    ['one stdin for two', ['-', '--member', 'x', '--beside', '-']],
    ['two ways to print', ['plan.json', '--member', 'x', '--text', '--stream']],
  ])('is a mistake of the command line: %s', async (_, argv) => {
    await expect(ingest(...argv)).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

describe('its command line', () => {
  it('takes its flags behind it, those of every command anywhere, and none of a read', () => {
    const parse = (...argv: string[]) => parseCommandLine(argv, '1.2.3');
    expect(parse('--env', 'e', 'drift', 'ingest', 'f', '--member', 'm', '--show', 'a#b', '--show', 'c#d', '--json')).toMatchObject({
      invocation: { command: 'drift', ingest: 'f', env: 'e', member: 'm', show: ['a#b', 'c#d'], json: true },
    });
    expect(parse('drift', '--member', 'm')).not.toHaveProperty('invocation.ingest');
    expect(() => parse('drift', 'ingest')).toThrow('file');
    expect(() => parse('drift', 'ingest', 'f', 'g')).toThrow();
    expect(() => parse('drift', 'f')).toThrow();
    expect(parse('drift', 'ingest', '--help')).toMatchObject({
      text: expect.stringMatching(/drift ingest \[options\] <file>[\s\S]*--show <type#path>[\s\S]*--env <name>/),
    });
  });

  it('means the files of the folder it is typed in', () => {
    mkdirSync(join(folder, 'repo', '.git'), { recursive: true });
    mkdirSync(join(folder, 'repo', 'web'));
    const { cwd, invocation } = atHome(join(folder, 'repo', 'web'), {
      command: 'drift',
      plan: 'release.plan.yaml',
      stateDir: '.lockkeeper',
      ingest: 'a.json',
      beside: '-',
      output: 'b.json',
    });
    expect({ cwd, ...invocation }).toMatchObject({
      cwd: join(folder, 'repo'),
      ingest: join(folder, 'repo/web/a.json'),
      beside: '-',
      output: join(folder, 'repo/web/b.json'),
    });
  });
});
