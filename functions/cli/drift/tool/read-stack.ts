import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '../../../../shared/drift/read-document.ts';
import { largestInput } from '../../../../shared/drift/readers/input.ts';
import type { Read } from '../../../../shared/drift/record.ts';
import type { StackLine } from '../../../../shared/engine/op.ts';
import { LockkeeperError } from '../../../../shared/errors/error.ts';
import { listed, quoted } from '../../../../shared/errors/quoted.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { runCommand } from '../../../../shared/platform/command.ts';
import { throwIfInterrupted } from '../../interrupted.ts';
import type { Invocation } from '../../invocation.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { Printed } from '../answer.ts';
import { isPathsAlone, memberKey, pathsAlone } from '../fingerprints.ts';
import { only } from '../only.ts';
import { ReadRefused } from '../refused-read.ts';
import { shownIn } from '../shown-in.ts';
import { readPulumi } from './pulumi.ts';
import { stackAtHand } from './stack-line.ts';
import { readTerraform } from './terraform.ts';
import { type Call, graphOf, type ToolFound, type ToolRead } from './tool-read.ts';

/** A plan of a large stack takes its time; whoever waits has Ctrl-C. */
const timeoutMs = 60 * 60_000;

/**
 * Reads one stack in the person's working tree, with the tool and the credentials that are at hand: what they would find by typing it. The tool
 * runs in the folder as it is: it initialises nothing (R3.24), takes no lock, and writes nothing there.
 *
 * @throws ReadRefused; Interrupted; LockkeeperError for a plan or a folder that cannot be read.
 */
export async function readStack(invocation: Invocation, surroundings: Surroundings, version: string): Promise<Printed> {
  const { member = '', resource, components } = invocation;
  if (components) throw new ReadRefused('read-unsupported', 'A stack has no components: leave --components out.');
  const { line, environment, root } = await stackAtHand(invocation, surroundings);
  const read = readOf(line, invocation.read);
  const folder = folderOf(root, line);
  const key = memberKey(member, surroundings);
  const show = shownIn({ ...invocation, env: environment }, surroundings.cwd);
  const scratch = mkdtempSync(join(tmpdir(), 'lockkeeper-drift-'));
  try {
    const observedAt = new Date(systemClock.now()).toISOString();
    const asked: ToolRead = {
      member,
      line,
      read,
      ...(resource === undefined ? {} : { resource }),
      context: { member, observedAt, show, graph: graphOf(member), ...(key === undefined ? {} : { key }) },
      folder,
      scratch,
      ...callIn(folder, line, surroundings),
    };
    writeValues(scratch, line);
    const found = line.tool === 'pulumi' ? await readPulumi(asked) : await readTerraform(asked);
    throwIfInterrupted(surroundings.signal);
    return printed(found, asked, { environment, version, note: surroundings.console.note });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws ReadRefused */
function readOf({ tool }: StackLine, asked: Read | undefined): Read {
  const reads: readonly Read[] = tool === 'pulumi' ? ['refresh'] : ['state', 'plan'];
  const read = asked ?? reads[0];
  if (read !== undefined && reads.includes(read)) return read;
  throw new ReadRefused('read-unsupported', `A stack of ${tool} is read as ${listed(reads, 'or')}, and not as ${asked}.`);
}

/** @throws LockkeeperError PARAM_INVALID for a folder that is none, or lies elsewhere. */
function folderOf(root: string, { root: { path } }: StackLine): string {
  const folder = join(root, path);
  try {
    const [real, top] = [realpathSync(folder), realpathSync(root)];
    if (statSync(real).isDirectory() && `${real}/`.startsWith(`${top}/`)) return folder;
  } catch {}
  throw new LockkeeperError({ code: 'PARAM_INVALID', message: `There is no folder ${quoted(path)} in this repository.`, hint: 'Correct `path` of the line.' });
}

/** What the tool sees is what it would see if the person typed it, without what is Lockkeeper's own. */
function callIn(folder: string, { tool }: StackLine, { environment, signal }: Surroundings): Pick<ToolRead, 'call' | 'environment'> {
  const own = Object.entries(environment).filter((one): one is [string, string] => one[1] !== undefined && !one[0].startsWith('LOCKKEEPER_'));
  const seen = Object.fromEntries(own.filter(([name]) => name !== 'TF_WORKSPACE' && name !== 'PULUMI_STACK'));
  const call: Call = (args, variables = {}, program = tool) =>
    runCommand({ program, args, folder, environment: { ...seen, ...variables }, timeoutMs, mostBytes: largestInput, signal });
  return { call, environment: seen };
}

/** The line's own values of variables, where the plan of the tool finds them and nobody else. */
function writeValues(scratch: string, { tool, variables }: StackLine): void {
  mkdirSync(scratch, { recursive: true });
  if (tool === 'pulumi' || Object.keys(variables).length === 0) return;
  writeFileSync(join(scratch, 'values.tfvars.json'), JSON.stringify(variables), { mode: 0o600 });
}

function printed(
  { engine, read, records, notes, unread }: ToolFound,
  { member, resource, context, line }: ToolRead,
  by: { readonly environment: string; readonly version: string; readonly note: (text: string) => void },
): Printed {
  const { observedAt, key } = context;
  if (key === undefined && isPathsAlone(records)) by.note(pathsAlone);
  const asked = resource === undefined || unread !== undefined ? records : only(records, { read, resource }, { member, engine, observedAt }, context.graph);
  const about = { environment: by.environment, stack: stackWords(line), ...(notes.length === 0 ? {} : { notes }) };
  const document = readDocument({ member, lockkeeper: by.version }, asked, about);
  const problem = unread === undefined ? {} : { unread: { code: 'DRIFT_NOT_READ', message: unread, details: { reason: 'command-failed' } } as const };
  return { document, read, engine, ...problem };
}

/** Which stack was read, beside the records. */
const stackWords = ({ tool, root: { path, stack } }: StackLine) => ({ tool, path, ...(stack === undefined ? {} : { stack }) });
