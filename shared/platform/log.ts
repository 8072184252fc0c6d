import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Redactor } from '../redact/redactor.ts';

/**
 * One JSON object a line: level, time, message, then the fields. Masked field by field, then serialised, so that a secret
 * cannot break the line. `write` gets the line with its end.
 */
export function jsonLog(redactor: Redactor, clock: Pick<Clock, 'now'>, write: (line: string) => void): Log {
  const at =
    (level: 'info' | 'warn' | 'error') =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      const plain = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, loggable(value)]));
      write(`${JSON.stringify(redactor.maskJson({ level, time: new Date(clock.now()).toISOString(), message, ...plain }))}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** JSON would make nothing of an error, a set, or a bigint. */
function loggable(value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, stack } = value;
    return { name, message, ...('code' in value ? { code: value.code } : {}), stack, ...(value.cause === undefined ? {} : { cause: loggable(value.cause) }) };
  }
  if (value instanceof Set) return [...value].map(loggable);
  if (typeof value === 'bigint') return value.toString();
  return value;
}
