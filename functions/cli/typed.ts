import { codes } from '../../shared/errors/codes.ts';
import type { Problem } from '../../shared/errors/error.ts';
import type { RunReport } from '../../shared/run/report.ts';
import type { Invocation } from './invocation.ts';

/** The flags that say which state a command is about: the next command needs the same. */
export type Typed = Pick<Invocation, 'sim' | 'stateDir' | 'stack' | 'local'>;

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

/** A hint as it can be pasted: every command in it that looks at or changes what is recorded gets the flags that were typed. */
export function withFlags(hint: string, typed: Typed): string {
  return hint.replaceAll(
    /`(lockkeeper (?:accept|adopt|apply|approve|cancel|confirm|destroy|diff|freeze|log|plan|prune|receipt|recover|reconcile|recreate|reject|retry|runs|show|undo|unfreeze|withdraw)\b[^`]*)`/g,
    (whole, command: string) => (/ --(sim|stack|state-dir)\b/.test(command) ? whole : `\`${command}${flagsOf(typed)}\``),
  );
}

/** A report whose every command can be pasted. */
export function reportAsTyped(report: RunReport, typed: Typed): RunReport {
  const asTyped = (problem: Problem): Problem => ({ ...problem, hint: withFlags(problem.hint ?? codes[problem.code].hint, typed) });
  return {
    ...report,
    ...(report.problem ? { problem: asTyped(report.problem) } : {}),
    warnings: report.warnings.map(asTyped),
    lines: report.lines.map((line) => ({
      ...line,
      ...(line.problem ? { problem: asTyped(line.problem) } : {}),
      ...(line.manual?.confirm === undefined ? {} : { manual: { ...line.manual, confirm: `${line.manual.confirm}${flagsOf(typed)}` } }),
    })),
  };
}

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
