import { readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { failedRead, type ReadDocument, readDocument } from '../../../shared/drift/read-document.ts';
import { inputBytes } from '../../../shared/drift/readers/input.ts';
import { type ReadOutput, readToolOutput } from '../../../shared/drift/readers/read-output.ts';
import { shownOf } from '../../../shared/drift/readers/show.ts';
import { UnreadableError } from '../../../shared/drift/readers/unreadable.ts';
import type { DriftRecord } from '../../../shared/drift/record.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { quoted } from '../../../shared/errors/quoted.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { driftAnswer } from './answer.ts';
import { isPathsAlone, memberKey, pathsAlone } from './fingerprints.ts';
import { judgePrinting } from './printing.ts';
import { knowsEnvironment, shownIn } from './shown-in.ts';
import { spareMemory } from './sparing.ts';
import { graphOf } from './tool/tool-read.ts';

/**
 * `drift ingest`: reads what another tool printed, and prints the same document as `drift` (R3.19). Nothing is asked of anybody: what the tool
 * wrote is all there is. An input that cannot be read stands in the document as its error, and the exit code is 1.
 *
 * @param version of this Lockkeeper. @throws LockkeeperError USAGE, POLICY_INVALID, KEY_INVALID.
 */
export async function ingestCommand(
  invocation: Invocation,
  surroundings: Pick<Surroundings, 'cwd' | 'console' | 'redactor' | 'environment'>,
  version: string,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<Answer> {
  judge(invocation, surroundings.cwd);
  const { ingest = '-', beside, member, engine } = invocation;
  if (ingest === '-' && beside === '-')
    throw new LockkeeperError({ code: 'USAGE', message: 'There is one stdin, and not two.', hint: 'Name a file for one of the two.' });
  const by = { lockkeeper: version, ...(member === undefined ? {} : { member }) };
  if (member === undefined || member === '') {
    const message = 'Say with --member which member of the workspace this is of: the input does not name it.';
    return driftAnswer(
      { document: failedRead(by, 'member-required', message), problem: { code: 'DRIFT_NOT_READ', message, details: { reason: 'member-required' } } },
      invocation,
      surroundings,
    );
  }
  const key = memberKey(member, surroundings);
  const show = shownIn(invocation, surroundings.cwd);
  const written = ingest === '-' ? new Date(systemClock.now()) : named(ingest, () => statSync(ingest).mtime);
  try {
    const given = {
      bytes: await bytesAt(ingest, stdin),
      ...(beside === undefined ? {} : { beside: await bytesAt(beside, stdin) }),
      ...(engine === undefined ? {} : { engine }),
    };
    spareMemory(given.bytes.length + (given.beside?.length ?? 0));
    const about = { member, observedAt: written.toISOString(), show, graph: graphOf(member) };
    const output = readToolOutput(given, key === undefined ? about : { ...about, key });
    const alone = key === undefined && isPathsAlone(output.reading.records) ? [pathsAlone] : [];
    const idle = idleShown(invocation, output.reading.records, surroundings.cwd);
    for (const note of [`This was read as ${output.kind}.`, ...output.reading.notes, ...alone, ...idle]) surroundings.console.note(note);
    return driftAnswer({ document: documentOf(output, { ...by, member }), read: output.reading.read, engine: output.reading.engine }, invocation, surroundings);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const { problem } = error;
    return driftAnswer({ document: failedRead(by, 'command-failed', `${problem.code}: ${problem.message}`), problem }, invocation, surroundings);
  }
}

/** Flags about what is shown that came to nothing. */
function idleShown({ show = [], env }: Pick<Invocation, 'show' | 'env'>, records: readonly DriftRecord[], cwd: string): string[] {
  const types = new Set(records.map(({ resourceType }) => resourceType));
  const idle = show.filter((text) => !types.has(shownOf(text)?.type));
  return [
    ...idle.map((text) => `--show ${quoted(text)} shows nothing: no resource in this is of that type.`),
    ...(env === undefined || knowsEnvironment(env, cwd) ? [] : [`${policyPath} says nothing of an environment ${quoted(env)}: it shows nothing for it.`]),
  ];
}

const documentOf = ({ kind, reading }: ReadOutput, by: { readonly member: string; readonly lockkeeper: string }): ReadDocument =>
  readDocument(by, reading.records, { input: kind, ...(reading.notes.length === 0 ? {} : { notes: reading.notes }) });

/** @throws LockkeeperError USAGE for flags that say something of a read which is over. */
function judge(invocation: Invocation, cwd: string): void {
  judgePrinting(invocation, cwd);
  const { read, resource, components, stack, sim } = invocation;
  const asked = { '--read': read, '--resource': resource, '--components': components, '--stack': stack, '--sim': sim || undefined };
  const [flag] = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (flag === undefined) return;
  throw new LockkeeperError({ code: 'USAGE', message: `${flag} is about a read that is to be made; this one is over.`, hint: 'Leave it out.' });
}

/** What a file holds, or stdin for `-`. Stdin is awaited: somebody may still be writing to it. */
async function bytesAt(path: string, stdin: NodeJS.ReadableStream): Promise<Uint8Array> {
  return inputBytes(path === '-' ? await buffer(stdin) : named(path, () => readFileSync(path)));
}

/** @throws LockkeeperError USAGE for a file that cannot be read. */
function named<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code = 'it is too large' } = error as NodeJS.ErrnoException;
    throw new LockkeeperError({
      code: 'USAGE',
      message: `${quoted(path)} cannot be read: ${code}.`,
      hint: 'Name the file that the tool wrote, or - for stdin.',
    });
  }
}
