import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packedFiles, type TarFile } from '../../shared/platform/tar-file.ts';
import { pathInSource, unpackSource } from './source.ts';
import { ToolFailed } from './tool-failed.ts';

let outside: string;
let folder: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'lockkeeper-source-'));
  folder = join(outside, 'source');
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
});

const file = (path: string, text = 'text', more: Partial<TarFile> = {}): TarFile => ({ path, body: Buffer.from(text), ...more });
const link = (path: string, to: string): TarFile => ({ path, body: Buffer.alloc(0), link: to });

function refused(unpack: () => unknown): string {
  try {
    unpack();
  } catch (error) {
    if (error instanceof ToolFailed && error.failure.cause === 'source-unusable') return error.message;
    throw error;
  }
  return expect.fail('it was taken');
}

/** The packed files with some bytes changed, and their checksums made right again. */
function forged(packed: Uint8Array, change: (header: Buffer) => void): Buffer {
  const tar = gunzipSync(packed);
  const header = tar.subarray(0, 512);
  change(header);
  header.write('        ', 148, 'latin1');
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return gzipSync(tar);
}

describe("a commit's files", () => {
  it('come to lie in the folder without the one that they are packed in, readable by their owner alone', () => {
    unpackSource(packedFiles([file('a.tf', 'one'), file('modules/net/main.tf', 'two'), file('run.sh', '#!', { executable: true })]), folder);
    expect(readFileSync(join(folder, 'a.tf'), 'utf8')).toBe('one');
    expect(readFileSync(join(folder, 'modules/net/main.tf'), 'utf8')).toBe('two');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect([statSync(join(folder, 'a.tf')), statSync(join(folder, 'run.sh'))].map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700]);
  });

  it('may have long names and links to one another', () => {
    const deep = `${'folder/'.repeat(40)}main.tf`;
    unpackSource(packedFiles([file(deep, 'deep'), link('short', deep), link('dir', 'folder/folder'), link(`${'l'.repeat(120)}`, deep)]), folder);
    expect(readFileSync(join(folder, 'short'), 'utf8')).toBe('deep');
    expect(readlinkSync(join(folder, 'dir'))).toBe('folder/folder');
    expect(readFileSync(join(folder, 'l'.repeat(120)), 'utf8')).toBe('deep');
  });

  it('lose a link that leads nowhere, as into a submodule', () => {
    unpackSource(packedFiles([file('a'), link('gone', 'sub/module')]), folder);
    expect(lstatSync(join(folder, 'gone'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each([
    ['out of it', [link('a', '../../etc')]],
    ['to an absolute path', [link('a', '/etc/passwd')]],
    ['out of it through another', [file('s/x'), link('p/q/d', '../../s'), link('p/q/e', 'd/../../..')]],
    ['out of it by the depth of another', [file('s/x'), file('y'), link('p/q/d', '../../s'), link('p/q/e', 'd/../..')]],
  ])('are refused for a link that leads %s', (_, files) => {
    expect(refused(() => unpackSource(packedFiles(files), folder))).toContain('leads out');
  });

  it.each(['../evil', 'a/../../evil', 'a\\b'])('are refused for a file that would lie elsewhere: %s', (path) => {
    expect(refused(() => unpackSource(packedFiles([file(path)]), folder))).toContain('outside');
    expect(statSync(join(outside, 'evil'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('are refused for an absolute name', () => {
    expect(
      refused(() =>
        unpackSource(
          forged(packedFiles([file('a')]), (header) => header.write('/source/a', 0, 'latin1')),
          folder,
        ),
      ),
    ).toContain('outside');
  });

  it('are refused for one name twice, whichever of the two a tool would read', () => {
    expect(refused(() => unpackSource(packedFiles([file('a', 'one'), file('a', 'two')]), folder))).toContain('cannot be unpacked');
    rmSync(folder, { recursive: true });
    expect(refused(() => unpackSource(packedFiles([file('a'), link('a', 'b'), file('b')]), folder))).toContain('twice');
  });

  it('never go through a link that was packed before them', () => {
    unpackSource(packedFiles([file('real/x', 'real'), link('dir', 'real'), file('other', 'o')]), folder);
    expect(refused(() => unpackSource(packedFiles([link('dir', 'real'), file('dir/x', 'through')]), join(outside, 'second')))).toContain('twice');
  });

  it.each([
    ['a device', (header: Buffer) => header.write('3', 156, 'latin1')],
    ['a hard link', (header: Buffer) => header.write('1', 156, 'latin1')],
    ['a size that is no number', (header: Buffer) => header.write('zz', 124, 'latin1')],
    ['a size beyond the end', (header: Buffer) => header.write('00000777777\0', 124, 'latin1')],
  ])('are refused for %s', (_, change) => {
    refused(() => unpackSource(forged(packedFiles([file('a')]), change), folder));
  });

  it('are refused when they are damaged, cut off or no tar, and no name of them is told', () => {
    const packed = packedFiles([file('CANARY.tf', 'x'.repeat(2000))]);
    const tar = gunzipSync(packed);
    const broken = Buffer.from(tar);
    broken[0] = 0x2f;
    for (const bytes of [Buffer.from('no tar'), gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(0, 512 + 2048)), gzipSync(broken)]) {
      expect(refused(() => unpackSource(bytes, folder))).not.toContain('CANARY');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what a line names in them', () => {
  it('is found where it is, through links that stay inside', () => {
    unpackSource(packedFiles([file('infra/main.tf'), file('vars/eu.tfvars'), link('live', 'infra')]), folder);
    const root = pathInSource(folder, folder, 'live', 'folder');
    expect(root.endsWith('/source/infra')).toBe(true);
    expect(pathInSource(folder, root, '../vars/eu.tfvars', 'file').endsWith('/source/vars/eu.tfvars')).toBe(true);
    expect(pathInSource(folder, folder, '.', 'folder').endsWith('/source')).toBe(true);
  });

  it('is refused when it is not there, is the other kind, or lies outside', () => {
    unpackSource(packedFiles([file('infra/main.tf')]), folder);
    symlinkSync('/etc', join(folder, 'etc'));
    for (const [path, is] of [
      ['gone', 'folder'],
      ['infra/main.tf', 'folder'],
      ['infra', 'file'],
      ['..', 'folder'],
      ['/etc', 'folder'],
      ['etc', 'folder'],
      ['etc/passwd', 'file'],
    ] as const) {
      refused(() => pathInSource(folder, folder, path, is));
    }
  });
});
