import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDriftDocument } from '../../../shared/drift/document.ts';
import { driftRecord } from '../../../shared/drift/drift-record.ts';
import { foldDriftLines } from '../../../shared/drift/fold-stream.ts';
import { readDocument, readErrors } from '../../../shared/drift/read-document.ts';
import type { DriftFields } from '../../../shared/drift/record.ts';
import { decodeDriftLines } from '../../../shared/drift/stream.ts';
import { createRedactor } from '../../../shared/redact/redactor.ts';
import { parseCommandLine } from '../command-line.ts';
import { createConsole } from '../console.ts';
import { driftAnswer } from '../drift/answer.ts';
import { driftCommand } from './drift.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drift-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Surroundings whose words are kept, on a terminal or not. */
function around(isTTY = false) {
  const said = { out: '', err: '', both: '' };
  const redactor = createRedactor();
  const write = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
    said.both += text;
  };
  const way = (name: 'out' | 'err') => ({ write: write(name), isTTY, columns: 100 });
  const console = createConsole({ stdout: way('out'), stderr: way('err'), redactor, colour: false });
  return { said, redactor, console, cwd: folder, environment: {}, signal: new AbortController().signal, log: () => undefined };
}

function asked(...argv: string[]) {
  const parsed = parseCommandLine(['drift', ...argv], '1.2.3');
  if (!('invocation' in parsed)) throw new Error('it was not parsed');
  return parsed.invocation;
}

const record = (address: string, more: Partial<DriftFields> = {}) =>
  driftRecord({ member: 'main', engine: 'lockkeeper', address, node: null, observedAt: '2026-11-30T10:00:00Z', read: 'live-read', status: 'in-sync', ...more });
const document = readDocument({ member: 'main', lockkeeper: '1.2.3' }, [
  record('web'),
  record('db', { status: 'drifted', attributes: [{ path: 'a', after: 'b' }] }),
]);
const clean = readDocument({ member: 'main', lockkeeper: '1.2.3' }, [record('web')]);

/** How a document that was read is answered. */
function answered(argv: readonly string[], isTTY = false, given = document) {
  const surroundings = around(isTTY);
  const answer = driftAnswer({ document: given, read: 'live-read' }, asked(...argv), surroundings);
  surroundings.console.result(answer.text(surroundings.console.screen));
  surroundings.console.end();
  return { exit: answer.exit, problem: answer.problem?.code, printed: surroundings.said.out, complained: surroundings.said.err, said: surroundings.said.both };
}

describe('a read that ran', () => {
  it('ends with 0, drift or not, and prints one document with the head of the read contract (R3.13, R3.27, R3.32)', () => {
    for (const given of [document, clean]) {
      const { exit, printed, complained } = answered([], false, given);
      expect({ exit, complained }).toEqual({ exit: 0, complained: '' });
      expect(parseDriftDocument(printed)).toEqual(given);
    }
    expect(JSON.parse(answered([]).printed)).toMatchObject({ contract: 1, lockkeeper: '1.2.3', member: 'main', drift: 'v1' });
  });

  it('ends with 1 and DRIFT_FOUND with --fail-on-drift when something drifted, and prints the same', () => {
    expect(answered(['--fail-on-drift'])).toMatchObject({ exit: 1, problem: 'DRIFT_FOUND', complained: expect.stringContaining('1 drifted') });
    expect(answered(['--fail-on-drift']).printed).toBe(answered([]).printed);
    expect(answered(['--fail-on-drift'], false, clean)).toMatchObject({ exit: 0, problem: undefined });
  });

  it.each(['missing', 'unclaimed'] as const)('calls what is %s drift, and what is pending, undeclared or not observed not', (status) => {
    const of = (...records: ReturnType<typeof record>[]) => answered(['--fail-on-drift'], false, readDocument({ member: 'main' }, records)).exit;
    expect(of(record('a', { status }))).toBe(1);
    const unobserved = { reason: 'read-failed' } as const;
    expect(of(record('a', { status: 'pending' }), record('b', { status: 'undeclared' }), record('c', { status: 'not-observed', unobserved }))).toBe(0);
  });

  it('says on the side that something was not observed: that is neither', () => {
    const given = readDocument({ member: 'main' }, [record('c', { status: 'not-observed', unobserved: { reason: 'read-failed' } })]);
    expect(answered([], false, given).complained).toContain('1 record could not be observed');
  });

  it('is a list on a terminal or with --text, and the document where a program reads along', () => {
    const list = answered(['--fail-on-drift'], true).printed;
    expect(list).toContain('Plan main: 1 in sync, 1 drifted');
    expect(list.indexOf('~ db ')).toBeLessThan(list.indexOf('= web'));
    expect(answered(['--text', '--fail-on-drift']).printed).toBe(list);
  });

  it('has on a terminal what is to be done below the list, as it is typed, and in a pipe the same with --text', () => {
    const failed = answered(['--fail-on-drift', '--sim', '--env', 'staging'], true);
    expect(failed.said.indexOf('~ db ')).toBeLessThan(failed.said.indexOf('DRIFT_FOUND'));
    expect(failed.said).toContain('lockkeeper plan --reconcile --env staging --sim');
    const fine = answered(['--text', '--sim', '--env', 'staging', '--plan', 'x.yaml']);
    expect(fine.printed).toContain('`lockkeeper absorb db --env staging --plan x.yaml --sim`');
    expect(answered(['--text'], false, clean).printed).not.toContain('reconcile');
  });

  it('is a stream with --stream: a start with what is expected, the records, a settle (R3.25)', () => {
    const { printed } = answered(['--stream']);
    expect(printed.trim().split('\n')).toHaveLength(4);
    expect(foldDriftLines(decodeDriftLines(printed), '2026-11-30T12:00:00Z')).toEqual({ records: document.records, doubts: [] });
  });

  it('is one stream of several reads where a plan has stacks: each has its own start and settle (R3.25)', () => {
    const ofStack = driftRecord({
      member: 'net',
      engine: 'terraform',
      address: 'aws_vpc.main',
      node: null,
      observedAt: '2026-11-30T10:00:00Z',
      read: 'plan',
      status: 'in-sync',
    });
    const both = readDocument({ member: 'main' }, [record('web'), ofStack]);
    const { printed } = answered(['--stream'], false, both);
    expect(foldDriftLines(decodeDriftLines(printed), '2026-11-30T12:00:00Z')).toEqual({ records: both.records, doubts: [] });
    expect(printed.match(/"drift-start"/g)).toHaveLength(2);
  });

  it('goes to a file with -o, and then nothing stands on stdout', () => {
    expect(answered(['-o', 'found.json'], true).printed).toBe('');
    expect(parseDriftDocument(readFileSync(join(folder, 'found.json'), 'utf8'))).toEqual(document);
    expect(answered(['--stream', '-o', 'found.ndjson']).printed).toBe('');
    expect(readFileSync(join(folder, 'found.ndjson'), 'utf8').split('\n')).toHaveLength(5);
  });

  it('lets no registered secret out, in whatever form it prints (I1)', () => {
    const canary = 'CANARY-in-a-drift-record';
    const given = readDocument({ member: 'main' }, [record('web', { status: 'drifted', attributes: [{ path: 'a', before: canary, after: `x${canary}` }] })]);
    for (const argv of [[], ['--text'], ['--stream'], ['-o', 'secret.json']]) {
      const surroundings = around();
      surroundings.redactor.register(canary);
      const answer = driftAnswer({ document: given, read: 'live-read' }, asked(...argv), surroundings);
      expect(answer.text(surroundings.console.screen) + JSON.stringify(answer.document)).not.toContain('CANARY');
    }
    expect(readFileSync(join(folder, 'secret.json'), 'utf8')).not.toContain('CANARY');
  });
});

describe('a read that could not run', () => {
  /** What the command prints, where nothing is started for it. */
  async function refused(...argv: string[]) {
    const surroundings = around();
    const answer = await driftCommand(asked(...argv), surroundings, '1.2.3');
    const printed = answer.text(surroundings.console.screen);
    surroundings.console.end();
    return { exit: answer.exit, printed, complained: surroundings.said.err };
  }
  const plan = (environments: string) => writeFileSync(join(folder, 'release.plan.yaml'), `version: 1\nenvironments: [${environments}]\nchanges: []\n`);

  it.each([
    ['read-unsupported', ['--read', 'plan']],
    ['read-unsupported', ['--read', 'refresh']],
    ['read-unsupported', ['--read', 'ownership']],
    ['read-unsupported', ['--components']],
    ['resource-unsupported', ['--resource', 'a/b']],
    ['no-drift-read', ['--member', 'elsewhere']],
    ['env-required', []],
    ['command-failed', ['--plan', 'none.yaml', '--env', 'preview']],
  ] as const)('is a document without records and with the error %s, and the exit is 1 (R3.28)', async (code, argv) => {
    plan('preview, production');
    const { exit, printed, complained } = await refused(...argv);
    const found = parseDriftDocument(printed) as ReturnType<typeof readDocument>;
    expect(readErrors).toContain(code);
    expect({ exit, records: found.records, code: found.error?.code }).toEqual({ exit: 1, records: [], code });
    expect(complained).toContain(found.error?.message.replace(/^[A-Z_]+: /, ''));
  });

  it('says with --stream nothing on stdout, and why on stderr (R3.29)', async () => {
    expect(await refused('--stream', '--read', 'plan')).toEqual({ exit: 1, printed: '', complained: expect.stringContaining('not as plan') });
  });

  it('takes the only environment there is, and asks for one where there are several', async () => {
    plan('preview');
    expect((await refused('--resource', 'a', '--read', 'live-read')).printed).not.toContain('env-required');
    plan('preview, production');
    expect((await refused()).printed).toContain('`preview` and `production`');
  });

  it('is refused with exit 2 where its file cannot be written', async () => {
    await expect(refused('--read', 'plan', '-o', 'no/such/folder.json')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('cannot be written'),
    });
  });

  it('is refused before that, with exit 2, for two ways to print at once', async () => {
    await expect(refused('--stream', '--text')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(refused('--stream', '--json')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
