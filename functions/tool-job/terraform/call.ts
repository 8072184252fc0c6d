import type { Diagnostic, StackAction, ToolFailureCause } from '../../../shared/stacks/tool-work.ts';
import type { ToolEnd } from '../run-tool.ts';
import { ToolFailed } from '../tool-failed.ts';
import type { Words } from '../words.ts';
import { isStale, lockIn, toldOf } from './diagnostics.ts';
import { eventIn, type ToolDiagnostic } from './events.ts';

/** A call whose output is a stream of events, and what of it counts. */
export interface Streamed {
  readonly end: ToolEnd;
  readonly diagnostics: readonly ToolDiagnostic[];
  /** What it reported to have finished, by address. */
  readonly finished: ReadonlyMap<string, readonly StackAction[]>;
}

const mostDiagnostics = 1000;

/** Runs the call and takes its events as they come, so that memory stays bounded whatever the tool writes. */
export async function streamed(run: (take: (line: string) => void) => Promise<ToolEnd>, words: Words): Promise<Streamed> {
  const diagnostics: ToolDiagnostic[] = [];
  const finished = new Map<string, StackAction[]>();
  const end = await run((line) => {
    const event = eventIn(line);
    if (event === undefined) return words.say(line);
    if (event.event === 'said') return words.say(event.message);
    if (event.event === 'diagnostic') {
      words.say(`${event.diagnostic.severity}: ${event.diagnostic.summary}\n${event.diagnostic.detail}`);
      if (diagnostics.length < mostDiagnostics) diagnostics.push(event.diagnostic);
      return;
    }
    words.say(`${event.address}: ${event.action} ${event.event}`);
    if (event.event === 'done') finished.set(event.address, [...(finished.get(event.address) ?? []), event.action]);
  });
  if (end.end === 'exited') words.say(end.stderr);
  return { end, diagnostics, finished };
}

/** Why a call did not do what it was for. @param what the call, as `terraform plan`. */
export function callFailed(end: ToolEnd, otherwise: ToolFailureCause, what: string, diagnostics: readonly ToolDiagnostic[] = [], words?: Words): ToolFailed {
  const told = toldOf(diagnostics);
  if (end.end !== 'exited') return endedEarly(end.end, what, told);
  const lock = lockIn(diagnostics);
  if (lock !== undefined) {
    const masked = Object.fromEntries(Object.entries(lock).map(([name, text]) => [name, words?.mask(text) ?? text]));
    return new ToolFailed({ cause: 'busy', message: "Somebody else has the state's lock.", diagnostics: told, lock: masked });
  }
  if (isStale(diagnostics))
    return new ToolFailed({ cause: 'state-moved', message: 'The tool refuses the saved plan: the state has moved.', diagnostics: told });
  const how = end.exit === null ? 'was killed' : 'failed';
  return new ToolFailed({ cause: otherwise, message: `${what} ${how}.`, diagnostics: told });
}

function endedEarly(end: Exclude<ToolEnd['end'], 'exited'>, what: string, diagnostics: readonly Diagnostic[]): ToolFailed {
  if (end === 'timed-out') return new ToolFailed({ cause: 'timed-out', message: `${what} was ended because its time was up.`, diagnostics });
  if (end === 'stopped') return new ToolFailed({ cause: 'stopped', message: `${what} was asked to stop.`, diagnostics });
  if (end === 'too-large') return new ToolFailed({ cause: 'output-too-large', message: `${what} wrote more than is read: split the stack.` });
  return new ToolFailed({ cause: 'tool-missing', message: `There is nothing to run as ${what}.` });
}
