import { codes } from '../../shared/errors/codes.ts';
import type { Problem } from '../../shared/errors/error.ts';
import type { RunReport } from '../../shared/run/report.ts';
import type { Invocation } from './invocation.ts';

/** The flags that say which state a command is about: the next command needs the same. */
export type Typed = Pick<Invocation, 'sim' | 'stateDir' | 'stack' | 'local'> & Partial<Pick<Invocation, 'env' | 'branch' | 'pr' | 'plan'>>;

/** What to type to answer a question. */
export interface AnswerCommands {
  readonly approve: string;
  readonly reject: string;
}

/** How much of a digest is typed: what a question is found by, and short enough to compare by eye. */
const digits = 12;

export function answersTo(digest: string, typed: Typed): AnswerCommands {
  const rest = `${digest.slice(0, digits)}${flagsOf(typed)}`;
  return { approve: `lockkeeper approve ${rest}`, reject: `lockkeeper reject ${rest}` };
}

/** How what is approved goes on when its freeze is over: a deployed stack is always there, that of a folder only beside a command. */
export const goesOnText = ({ stack }: Typed): string =>
  stack === undefined ? 'When that is over, the next command here that sets something going lets it go on.' : 'It goes on by itself then.';

const aboutState =
  /`(lockkeeper (absorb|accept|adopt|apply|approve|cancel|confirm|destroy|diff|drift|freeze|log|plan|prune|receipt|recover|reconcile|recreate|reject|retry|runs|show|undo|unfreeze|withdraw)\b[^`]*)`/g;

/** Commands that are about the place at hand, unless they name another. */
const aboutPlace: ReadonlySet<string> = new Set([
  'absorb',
  'accept',
  'adopt',
  'apply',
  'confirm',
  'destroy',
  'drift',
  'plan',
  'prune',
  'reconcile',
  'recover',
  'recreate',
]);

/**
 * A text as its commands can be pasted: every one that looks at or changes what is recorded gets the flags that were typed, and one that works
 * in a place those that lead there.
 */
export function withFlags(text: string, typed: Typed): string {
  return text.replaceAll(aboutState, (_whole, command: string, verb: string) => {
    const place = aboutPlace.has(verb) && !/ --(env|branch|pr)\b/.test(command) ? placeFlags(typed) : '';
    const file = aboutPlace.has(verb) && !/ --plan\b/.test(command) ? planFlag(typed) : '';
    return `\`${command}${place}${file}${/ --(sim|stack|state-dir)\b/.test(command) ? '' : flagsOf(typed)}\``;
  });
}

/** A report whose every command can be pasted. */
export function reportAsTyped(report: RunReport, typedHere: Typed): RunReport {
  const typed = { ...typedHere, ...placeOfReport(report) };
  const text = (said: string): string => withFlags(said, typed);
  const problem = (one: Problem): Problem => ({ ...one, message: text(one.message), hint: text(one.hint ?? codes[one.code].hint) });
  return {
    ...report,
    ...(report.problem ? { problem: problem(report.problem) } : {}),
    warnings: report.warnings.map(problem),
    drift: report.drift.map((item) => ({ ...item, message: text(item.message) })),
    lines: report.lines.map((line) => ({
      ...line,
      ...(line.problem ? { problem: problem(line.problem) } : {}),
      ...(line.notes ? { notes: Object.fromEntries(Object.entries(line.notes).map(([name, said]) => [name, text(said)])) } : {}),
      ...(line.manual?.confirm === undefined ? {} : { manual: { ...line.manual, confirm: `${line.manual.confirm}${flagsOf(typed)}` } }),
    })),
  };
}

/** What a report says itself of its place: whoever reads it may be elsewhere. */
const placeOfReport = ({ environment, pullRequest }: RunReport): Partial<Typed> => ({
  ...(environment === 'preview' ? {} : { env: environment }),
  ...(pullRequest === undefined ? {} : { pr: pullRequest }),
});

function placeFlags({ env, branch, pr }: Typed): string {
  const flags = [...(env === undefined || env === 'preview' ? [] : ['--env', quoted(env)]), ...(pr === undefined ? branchFlag(branch) : ['--pr', String(pr)])];
  return flags.map((flag) => ` ${flag}`).join('');
}

const planFlag = ({ plan }: Typed): string => (plan === undefined || plan === usualPlan ? '' : ` --plan ${quoted(plan)}`);

/** The plan file that a command is about where none is named. */
const usualPlan = 'release.plan.yaml';

const branchFlag = (branch: string | undefined): string[] => (branch === undefined ? [] : ['--branch', quoted(branch)]);

function flagsOf({ sim, local, stateDir, stack }: Typed): string {
  const flags = [
    ...(sim ? ['--sim'] : []),
    ...(local ? ['--local'] : []),
    ...(stateDir === '.lockkeeper' ? [] : ['--state-dir', quoted(stateDir)]),
    ...(stack === undefined ? [] : ['--stack', quoted(stack)]),
  ];
  return flags.map((flag) => ` ${flag}`).join('');
}

/** A word as a POSIX shell reads it back. */
const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
