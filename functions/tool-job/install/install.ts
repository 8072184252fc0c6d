import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../../shared/stacks/tool-work.ts';
import { ToolFailed } from '../tool-failed.ts';
import { type Release, type ReleaseSites, releaseOf, releaseSites, usualVersions } from './releases.ts';
import { fileInZip } from './zip.ts';

export interface InstallOptions {
  /** Private to the job, and removed with it: nothing is kept for the next. */
  readonly folder: string;
  readonly ending: AbortSignal;
  readonly sites?: ReleaseSites;
  readonly pauseMs?: number;
}

const mostBytes = 512 * 1024 * 1024;
const attempts = 3;
/** Of one request with its answer, ms. */
const longest = 180_000;

/**
 * Fetches a tool from its own release site and unpacks it, if it is what the site's list of checksums says. Who signed that list is not looked at: it
 * is believed because of where it comes from, over TLS.
 *
 * @returns the folder it lies in, for the `PATH`.
 * @throws ToolFailed `tool-missing`
 */
export async function installTool(
  tool: Tool,
  pinned: string | undefined,
  { folder, ending, sites = releaseSites, pauseMs = 2_000 }: InstallOptions,
): Promise<string> {
  const version = pinned ?? usualVersions[tool];
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version)) throw missing(`${JSON.stringify(version)} is no version of ${tool}.`);
  const release = releaseOf(tool, version, sites);
  const fetched = (address: string): Promise<Buffer> => bytesOf(address, `${tool} ${version}`, ending, pauseMs);
  const wanted = checksumIn((await fetched(release.checksums)).toString('utf8'), release.name);
  if (wanted === undefined) throw missing(`The list of checksums of ${tool} ${version} does not name ${release.name}.`);
  const archive = await fetched(release.archive);
  if (createHash('sha256').update(archive).digest('hex') !== wanted)
    throw missing(`What was fetched as ${tool} ${version} is not what its checksum says: it was not run.`);
  try {
    return unpacked(archive, release, tool, folder);
  } catch (error) {
    throw missing(`${tool} ${version} cannot be unpacked: ${error instanceof Error ? error.message : 'no reason is known'}.`);
  }
}

/** `<sha-256>  <name>` a line. */
function checksumIn(list: string, name: string): string | undefined {
  const line = list
    .split('\n')
    .map((one) => /^([0-9a-f]{64})\s+\*?(?:\.\/)?(\S+)\s*$/.exec(one))
    .find((found) => found?.[2] === name);
  return line?.[1];
}

function unpacked(archive: Buffer, { packed }: Release, tool: Tool, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (packed === 'zip') {
    const program = join(folder, tool);
    writeFileSync(program, fileInZip(archive, tool, mostBytes));
    chmodSync(program, 0o700);
    return folder;
  }
  const file = join(folder, 'archive.tar.gz');
  writeFileSync(file, archive);
  execFileSync('tar', ['-xzf', file, '-C', folder, '--no-same-owner'], { stdio: 'ignore' });
  rmSync(file);
  return join(folder, tool);
}

async function bytesOf(address: string, what: string, ending: AbortSignal, pauseMs: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await once(address, ending);
    if (Buffer.isBuffer(answer)) return answer;
    if (ending.aborted) throw new ToolFailed({ cause: ending.reason, message: `The job was ended while it fetched ${what}.` });
    if (!answer.again || attempt === attempts) throw missing(`${what} cannot be fetched from ${new URL(address).host}: ${answer.why}.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
}

/** A site may lead to another, but never to one that is not encrypted. */
async function once(address: string, ending: AbortSignal): Promise<Buffer | { readonly why: string; readonly again: boolean }> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.any([ending, AbortSignal.timeout(longest)]) });
    if (new URL(address).protocol === 'https:' && new URL(answer.url).protocol !== 'https:')
      return { why: 'it leads to a place that is not encrypted', again: false };
    if (!answer.ok) return { why: `it answered ${answer.status}`, again: answer.status >= 500 || answer.status === 429 };
    return await bounded(answer);
  } catch {
    return { why: 'it could not be reached, or broke off', again: true };
  }
}

async function bounded({ body }: Response): Promise<Buffer | { readonly why: string; readonly again: false }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > mostBytes) return { why: 'it is more than any release is', again: false };
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const missing = (message: string): ToolFailed => new ToolFailed({ cause: 'tool-missing', message });
