import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputBytes } from '../../../../shared/drift/readers/input.ts';
import { readPulumiStream } from '../../../../shared/drift/readers/pulumi-stream.ts';
import type { DriftReading } from '../../../../shared/drift/readers/reading.ts';
import { UnreadableError } from '../../../../shared/drift/readers/unreadable.ts';
import type { DriftRecord } from '../../../../shared/drift/record.ts';
import type { CommandEnd } from '../../../../shared/platform/command.ts';
import { noSuchStack, refreshArgs, streaming, versionArgs } from '../../../../shared/stacks/pulumi/commands.ts';
import { ReadRefused } from '../refused-read.ts';
import { readPlunge } from './plunge.ts';
import type { ToolFound, ToolRead } from './tool-read.ts';
import { missingWords, unread, versionWords } from './unread.ts';

const of = { engine: 'pulumi', read: 'refresh' } as const;

/** So many resources are read one at a time after a read that broke off. */
const mostOneByOne = 100;

/**
 * Reads a stack of Pulumi in the project's folder as it is, by a refresh that changes nothing and takes no lock (R2.11). A refresh ends with the
 * first resource that fails: what it did not come to is read once more, each resource by itself, so that one that fails holds back itself alone
 * (R3.22).
 *
 * @throws ReadRefused for a stack that is not there: no other one is read in its place (R3.31).
 */
export async function readPulumi(asked: ToolRead): Promise<ToolFound> {
  if (isOnPlunge(asked.folder)) return readPlunge(asked);
  const { line, resource } = asked;
  const version = await asked.call(versionArgs);
  const fault = missingWords('pulumi', version.end) ?? versionWords(line, version.end === 'output' ? version.bytes.toString('utf8').trim() : undefined);
  if (fault !== undefined) return unread(asked, of, 'cannot-read', fault);
  const first = await refresh(asked, resource);
  if ('failed' in first) return unread(asked, of, 'read-failed', first.failed);
  const records = new Map(first.records.map((record) => [record.address, record]));
  const missed = resource === undefined ? first.records.filter(({ status }) => status === 'not-observed').slice(0, mostOneByOne) : [];
  for (const { address } of missed) {
    const again = await refresh(asked, address);
    const found = 'failed' in again ? undefined : again.records.find((record) => record.address === address && record.status !== 'not-observed');
    if (found) records.set(address, found);
  }
  const here = [...records.values()].filter(({ address }) => resource === undefined || address === resource);
  if (resource !== undefined && here.length === 0) return unread(asked, of, 'not-reached', 'The refresh says nothing of this resource.');
  const notes = isWhole([...records.values()]) ? first.notes.filter((note) => !note.startsWith('The refresh failed')) : first.notes;
  return { ...of, records: here, notes };
}

const isWhole = (records: readonly DriftRecord[]): boolean => records.every(({ status }) => status !== 'not-observed');

async function refresh({ call, line: { root }, context }: ToolRead, target: string | undefined): Promise<DriftReading | { readonly failed: string }> {
  const stack = root.stack ?? '';
  const ended = await call(refreshArgs(stack, target), streaming);
  if (ended.end !== 'output' && ended.end !== 'failed')
    return { failed: `\`pulumi refresh\` ${ended.end === 'timed-out' ? 'did not end in time' : 'printed more than is read'}.` };
  if (ended.end === 'failed' && ended.exit === `exit ${noSuchStack}`)
    throw new ReadRefused('no-drift-read', `There is no stack ${stack} of the project in ${root.path}, and no other one is read in its place.`);
  try {
    return readPulumiStream(inputBytes(ended.bytes), context);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { failed: ended.end === 'failed' ? failedWords(ended, root) : `What \`pulumi refresh\` printed was not understood: ${error.says}.` };
  }
}

/** Of a failure no word is told that is not known: what Pulumi says may hold values. */
function failedWords({ stderr }: Extract<CommandEnd, { readonly end: 'failed' }>, { path, stack = '' }: ToolRead['line']['root']): string {
  const see = `run \`pulumi refresh --preview-only --stack ${stack}\` in ${path} to see why`;
  if (/\bpassphrase\b/.test(stderr)) return 'Pulumi could not open the stack’s secrets: set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE.';
  if (/\b(?:pulumi install|npm install|install dependencies)\b/.test(stderr))
    return `The project's packages are not installed, and a read installs nothing: run \`pulumi install\` in ${path}.`;
  if (/\b(?:pulumi login|PULUMI_ACCESS_TOKEN)\b/.test(stderr)) return 'Pulumi is not signed in to the stack’s backend: run `pulumi login`.';
  return `\`pulumi refresh\` failed before it had read anything: ${see}.`;
}

/** A project whose backend is plunge's is read by plunge, and never by Pulumi (R3.19). */
function isOnPlunge(folder: string): boolean {
  for (const name of ['Pulumi.yaml', 'Pulumi.yml']) {
    try {
      return /^backend:\s*(?:\n\s+.*)*?\n\s+url:\s*["']?plunge/m.test(readFileSync(join(folder, name), 'utf8'));
    } catch {}
  }
  return false;
}
