import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packedFiles } from '../../../shared/platform/tar-file.ts';
import { leastVersions, versionFault } from '../../../shared/stacks/version.ts';
import { installTool } from './install.ts';
import { releaseSites, usualVersions } from './releases.ts';
import { fileInZip } from './zip.ts';

/** A zip of files, deflated; each behind a header with an extra field, as Go's writer makes them. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const offset = locals.reduce((sum, part) => sum + part.length, 0);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(4, 28);
    locals.push(local, Buffer.from(name), Buffer.alloc(4), packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(text.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let server: Server;
let origin: string;
/** What the site has, by path; a function is asked each time. */
let site: Record<string, Buffer | string | (() => number)>;
let asked: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-install-'));
  [site, asked] = [{}, []];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const found = site[request.url ?? ''];
    if (typeof found === 'function') response.writeHead(found()).end();
    else response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const install = (tool: 'terraform' | 'tofu' | 'pulumi', version?: string, ending = new AbortController().signal) =>
  installTool(tool, version, { folder, ending, sites: { hashicorp: origin, github: origin }, pauseMs: 1 });

function release(archive: Buffer, checksum = sha256(archive)): void {
  const name = 'terraform_1.9.8_linux_amd64.zip';
  site[`/terraform/1.9.8/${name}`] = archive;
  site['/terraform/1.9.8/terraform_1.9.8_SHA256SUMS'] = `${'0'.repeat(64)}  terraform_1.9.8_darwin_arm64.zip\n${checksum}  ${name}\n`;
}

describe('a tool that a job fetches', () => {
  it('is of the version that its line pins, from the site of whoever makes it, and can be run', async () => {
    release(zipOf({ 'LICENSE.txt': 'a licence', terraform: '#!/bin/sh\n' }));
    expect(await install('terraform', '1.9.8')).toBe(folder);
    expect(readFileSync(join(folder, 'terraform'), 'utf8')).toBe('#!/bin/sh\n');
    expect(statSync(join(folder, 'terraform')).mode & 0o777).toBe(0o700);
  });

  it('is another with each tool: OpenTofu and Pulumi have their own sites, names and lists', async () => {
    const [tofu, pulumi] = [zipOf({ tofu: 'tofu' }), packedFiles([{ path: 'pulumi', body: Buffer.from('pulumi'), executable: true }], 'pulumi')];
    site['/opentofu/opentofu/releases/download/v1.9.0/tofu_1.9.0_linux_amd64.zip'] = tofu;
    site['/opentofu/opentofu/releases/download/v1.9.0/tofu_1.9.0_SHA256SUMS'] = `${sha256(tofu)}  tofu_1.9.0_linux_amd64.zip\n`;
    site['/pulumi/pulumi/releases/download/v3.240.0/pulumi-v3.240.0-linux-x64.tar.gz'] = pulumi;
    site['/pulumi/pulumi/releases/download/v3.240.0/pulumi-3.240.0-checksums.txt'] = `${sha256(pulumi)}  pulumi-v3.240.0-linux-x64.tar.gz\n`;
    expect(readFileSync(join(await install('tofu', '1.9.0'), 'tofu'), 'utf8')).toBe('tofu');
    expect(readFileSync(join(await install('pulumi', '3.240.0'), 'pulumi'), 'utf8')).toBe('pulumi');
  });

  it('is not run when it is not what its checksum says, or when no checksum is there', async () => {
    release(zipOf({ terraform: 'another' }), sha256(Buffer.from('what was released')));
    await expect(install('terraform', '1.9.8')).rejects.toMatchObject({
      failure: { cause: 'tool-missing', message: expect.stringContaining('checksum') as string },
    });
    site['/terraform/1.9.8/terraform_1.9.8_SHA256SUMS'] = 'nothing\n';
    await expect(install('terraform', '1.9.8')).rejects.toMatchObject({ failure: { cause: 'tool-missing' } });
    expect(() => readFileSync(join(folder, 'terraform'))).toThrow('ENOENT');
  });

  it('is asked for again when the site stumbles, and not when it has no such version', async () => {
    release(zipOf({ terraform: 'made' }));
    const list = site['/terraform/1.9.8/terraform_1.9.8_SHA256SUMS'] as string;
    let stumbles = 2;
    site['/terraform/1.9.8/terraform_1.9.8_SHA256SUMS'] = () => {
      stumbles -= 1;
      if (stumbles === 0) site['/terraform/1.9.8/terraform_1.9.8_SHA256SUMS'] = list;
      return 503;
    };
    await install('terraform', '1.9.8');
    asked = [];
    await expect(install('terraform', '1.9.9')).rejects.toMatchObject({
      failure: { message: expect.stringMatching(/^terraform 1\.9\.9 cannot be fetched from .*: it answered 404\.$/) as string },
    });
    expect(asked).toHaveLength(1);
  });

  it('is named by a version and nothing else: no part of an address gets into one', async () => {
    for (const wrong of ['../1.9.8', '1.9', '1.9.8/x', 'latest'])
      await expect(install('terraform', wrong)).rejects.toMatchObject({ failure: { cause: 'tool-missing' } });
    expect(asked).toEqual([]);
  });

  it('is left when the job is to end', async () => {
    const ending = new AbortController();
    ending.abort('stopped');
    await expect(install('terraform', '1.9.8', ending.signal)).rejects.toMatchObject({ failure: { cause: 'stopped' } });
  });

  it('comes over TLS, in a version that this release works with where the line pins none', () => {
    for (const address of Object.values(releaseSites)) expect(address).toMatch(/^https:\/\//);
    for (const tool of ['terraform', 'tofu', 'pulumi'] as const)
      expect([tool, leastVersions[tool], versionFault(tool, usualVersions[tool], undefined)]).toEqual([tool, leastVersions[tool], undefined]);
  });
});

describe('a zip archive', () => {
  it('that is damaged, larger than it may be, or lacks the file is refused', () => {
    const archive = zipOf({ terraform: 'x'.repeat(1000) });
    expect(fileInZip(archive, 'terraform', 1000)).toHaveLength(1000);
    expect(() => fileInZip(archive, 'terraform', 999)).toThrow('too large');
    expect(() => fileInZip(archive, 'tofu', 1000)).toThrow('it has no tofu');
    expect(() => fileInZip(archive.subarray(0, 40), 'terraform', 1000)).toThrow('no zip');
  });
});
