import { UnreadableError } from '../../../shared/drift/readers/unreadable.ts';
import { undisturbed } from '../../../shared/stacks/pulumi/commands.ts';
import type { Said } from '../../../shared/stacks/pulumi/event.ts';
import { causeOf, diagnosticOfExit, diagnosticsOf, lockIn } from '../../../shared/stacks/pulumi/said.ts';
import type { ToolFailure, ToolFailureCause } from '../../../shared/stacks/tool-work.ts';
import type { Workplace } from '../driver.ts';
import type { Exited, ToolCall, ToolEnd } from '../run-tool.ts';
import { ToolFailed } from '../tool-failed.ts';

/** What a failed call is told as. */
export interface Failing {
  /** The call, as `pulumi preview`. */
  readonly what: string;
  /** The cause where nothing says that it is another one. */
  readonly cause: ToolFailureCause;
  /** What the tool's events said before it failed. */
  readonly said?: readonly Said[];
  readonly more?: Pick<ToolFailure, 'done' | 'notDone' | 'planned' | 'drift'>;
}

/** Runs Pulumi in the stack's folder; what it says to people goes to the words. */
export async function pulumi(place: Workplace, args: readonly string[], more: Partial<ToolCall> = {}): Promise<ToolEnd> {
  const end = await place.run({ program: 'pulumi', args, ...more, environment: { ...undisturbed, ...more.environment } });
  if (end.end === 'exited' && end.stderr !== '') place.words.say(end.stderr);
  return end;
}

/** Words for the encrypted object that a person with access reads. */
export const heard =
  ({ words }: Workplace) =>
  ({ severity, message }: Said): void =>
    words.say(`${severity}: ${message.trimEnd()}`);

/** @throws ToolFailed for every end but an exit of 0. */
export function succeeded(place: Workplace, end: ToolEnd, failing: Failing): Exited {
  if (end.end === 'exited' && end.exit === 0) return end;
  throw callFailed(place, end, failing);
}

/** Why a call did not do what it was for. */
export function callFailed(place: Workplace, end: ToolEnd, { what, cause, said = [], more = {} }: Failing): ToolFailed {
  const told = diagnosticsOf(said);
  if (end.end === 'missing') return new ToolFailed({ cause: 'tool-missing', message: 'There is no pulumi where the stack is planned and applied.' });
  if (end.end === 'too-large')
    return new ToolFailed({ cause: 'output-too-large', message: `${what} wrote more than is read: split the stack.`, diagnostics: told, ...more });
  if (end.end === 'timed-out') return new ToolFailed({ cause: 'timed-out', message: `${what} was ended because its time was up.`, diagnostics: told, ...more });
  if (end.end !== 'exited') return new ToolFailed({ cause: 'stopped', message: `${what} was asked to stop.`, diagnostics: told, ...more });
  const errors = told.some(({ severity }) => severity === 'error');
  const diagnostics = errors ? told : [...told, diagnosticOfExit(end.exit, end.stderr)];
  if (causeOf(diagnostics, cause) === 'busy') {
    const text = [end.stderr, ...said.map(({ message }) => message)].join('\n');
    return new ToolFailed({ cause: 'busy', message: 'Somebody else is at this stack.', diagnostics, lock: masked(place, lockIn(text)) });
  }
  const how = end.exit === null ? 'was killed' : 'failed';
  return new ToolFailed({ cause, message: `${what} ${how}.`, diagnostics, ...more });
}

const masked = (place: Workplace, lock: ToolFailure['lock']): NonNullable<ToolFailure['lock']> =>
  Object.fromEntries(Object.entries(lock ?? {}).map(([name, text]) => [name, place.words.mask(text)]));

/** What cannot be read is not gone by. @throws ToolFailed `not-understood`. */
export function understood<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof UnreadableError)) throw thrown;
    throw new ToolFailed({ cause: 'not-understood', message: `What ${what} wrote is not understood: ${thrown.says}.` });
  }
}
