import type { Code } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import type { Lost } from '../stacks/tool-record.ts';
import type { Diagnostic, ToolFailure, ToolFailureCause } from '../stacks/tool-work.ts';
import { lockText } from './stack-run.ts';

const codes: Readonly<Record<ToolFailureCause, Code>> = {
  'state-moved': 'PLAN_STALE',
  'not-approved': 'PLAN_STALE',
  'plan-altered': 'PLAN_CORRUPT',
  busy: 'TOOL_LOCKED',
  'tool-missing': 'TOOL_UNUSABLE',
  'tool-too-old': 'TOOL_UNUSABLE',
  'wrong-version': 'TOOL_UNUSABLE',
  'source-unusable': 'SOURCE_UNUSABLE',
  'no-backend': 'STATE_NOT_KEPT',
  'init-failed': 'TOOL_FAILED',
  'plan-failed': 'TOOL_FAILED',
  'apply-failed': 'TOOL_FAILED',
  'not-understood': 'TOOL_FAILED',
  'output-too-large': 'LINE_TOO_LARGE',
  'timed-out': 'WAIT_TIMEOUT',
  stopped: 'TOOL_FAILED',
};

/** Why a stack's line did not do what it was to: in our words, with the kinds of what the tool complained of, and none of its own words. */
export function failureProblem({ cause, message, diagnostics, lock }: ToolFailure): Problem {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(diagnosticText);
  const named = [...new Set(errors)].slice(0, mostNamed);
  const more = named.length === 0 ? '' : ` It complains of ${named.join('; ')}.`;
  const said = cause === 'busy' ? `${capital(lockText(lock))}.` : cause === 'timed-out' ? `${message} ${limited}` : message;
  return { code: codes[cause], message: `${said}${more}`, details: { cause } };
}

const limited = 'How long it may take, `stacks.time_limit` of the policy says.';

/** As many complaints as a message names. */
const mostNamed = 5;

const diagnosticText = ({ kind, address, path }: Diagnostic): string =>
  `${kind}${address === undefined ? '' : ` at ${address}`}${path === undefined ? '' : `, ${path}`}`;

/** A job without an answer. */
export function lostProblem(lost: Lost): Problem {
  const details = { cause: lost };
  if (lost === 'not-begun') return { code: 'TOOL_FAILED', message: 'No process could be started that runs the tool. Nothing was done.', details };
  if (lost === 'timed-out') return { code: 'WAIT_TIMEOUT', message: `The tool took longer than it may, and was ended. ${limited} ${unknown}`, details };
  return { code: 'TOOL_FAILED', message: `${lost === 'stopped' ? 'The tool was ended' : 'The tool ended without a word'}. ${unknown}`, details };
}

const unknown = 'Nobody knows what it had done by then: the next run reads that from the state.';

/** Causes that are found before anything is written. */
const before: ReadonlySet<ToolFailureCause> = new Set<ToolFailureCause>([
  'busy',
  'tool-missing',
  'tool-too-old',
  'wrong-version',
  'source-unusable',
  'no-backend',
  'init-failed',
  'plan-failed',
  'plan-altered',
  'state-moved',
  'not-approved',
]);

/** Whether a job that failed has certainly written nothing. `plansFirst`: it was to plan, and to apply what it had planned. */
export function wroteNothing({ cause, done, planned }: ToolFailure, plansFirst: boolean): boolean {
  if ((done ?? []).length > 0) return false;
  return before.has(cause) || (plansFirst && inEither.has(cause) && done === undefined && planned === undefined);
}

/** Causes that a plan may fail for as well as an apply. Of a job that does both, an apply that has begun comes with its plan. */
const inEither: ReadonlySet<ToolFailureCause> = new Set<ToolFailureCause>(['not-understood', 'output-too-large', 'timed-out', 'stopped']);

/** What a tool did before it broke off, as it reads it back from the state. */
export function brokenOffNotes({ done, notDone }: Pick<ToolFailure, 'done' | 'notDone'>): Readonly<Record<string, string>> {
  return {
    ...(done && done.length > 0 ? { done: listed(done) } : {}),
    ...(notDone && notDone.length > 0 ? { 'not done': listed(notDone) } : {}),
  };
}

/** As many addresses as a note names, and as much of each. */
const [mostAddresses, mostOfOne] = [50, 300];

export function listed(addresses: readonly string[]): string {
  const named = addresses
    .slice(0, mostAddresses)
    .map((address) => (address.length > mostOfOne ? `${address.slice(0, mostOfOne)}…` : address))
    .join(', ');
  return addresses.length > mostAddresses ? `${named} and ${addresses.length - mostAddresses} more` : named;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
