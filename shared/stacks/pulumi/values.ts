import { inputLines } from '../../drift/readers/input.ts';
import type { Json } from '../../drift/readers/json.ts';
import { parseJson } from '../../drift/readers/json-text.ts';
import { UnreadableError } from '../../drift/readers/unreadable.ts';

export interface ReadValues {
  /** The next line of what the tool writes. */
  take(line: string): void;
  /** @throws UnreadableError when it ended in the middle of a value. */
  end(): void;
}

/** What nobody can review is not kept in memory either. */
const largest = 32_000_000;

/**
 * Cuts what Pulumi writes into JSON values: a document over many lines, events one to a line, and events over many lines behind a document
 * (`up --json` without the switch for streams) all are values that begin and end with a brace on a line of their own.
 *
 * @throws UnreadableError from `take`, with the number of the line, for what belongs to no value.
 */
export function readValues(onValue: (value: Json, line: number) => void): ReadValues {
  let [line, start, depth, size] = [0, 0, 0, 0];
  let parts: string[] = [];

  function take(text: string): void {
    line++;
    if (depth === 0 && text.trim() === '') return;
    if (parts.length === 0) start = line;
    parts.push(text);
    size += text.length;
    if (size > largest) {
      parts = [];
      throw new UnreadableError('a JSON value is larger than 32 million characters', { line: start });
    }
    depth += nesting(text);
    if (depth > 0) return;
    const value = parts.join('\n');
    parts = [];
    [depth, size] = [0, 0];
    onValue(parsed(value, start), start);
  }

  return {
    take,
    end: () => {
      if (parts.length > 0) throw new UnreadableError('it ends in the middle of a JSON value', { line: start });
    },
  };
}

/** The values of an output that is there as a whole. */
export function valuesIn(output: Uint8Array): Json[] {
  const values: Json[] = [];
  const reader = readValues((value) => values.push(value));
  for (const { bytes } of inputLines(output)) reader.take(Buffer.from(bytes).toString('utf8'));
  reader.end();
  return values;
}

/** A text holds no line break in JSON, so that every line can be counted by itself. */
function nesting(line: string): number {
  let depth = 0;
  for (let at = 0, inText = false; at < line.length; at++) {
    const char = line[at];
    if (inText) {
      if (char === '\\') at++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
  return depth;
}

function parsed(text: string, line: number): Json {
  try {
    return parseJson(Buffer.from(text));
  } catch (thrown) {
    throw thrown instanceof UnreadableError ? thrown.onLine(line) : thrown;
  }
}
