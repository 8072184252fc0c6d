import { maskStream } from '../../shared/redact/mask-stream.ts';
import type { Redactor } from '../../shared/redact/redactor.ts';
import { painter } from '../../shared/surfaces/paint.ts';
import { fitted } from '../../shared/surfaces/wrap.ts';
import type { Screen } from './answer.ts';
import { createProgress, type Progress } from './progress.ts';

/** One of the two ways out, as far as it is used. */
export interface Way {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where a command speaks. Everything is masked on its way out (I1). */
export interface Console {
  /** How results are to be rendered. */
  readonly screen: Screen;
  /** The result, for a person. */
  result(text: string): void;
  /** The result, for a program: masked as a value, then serialised once. */
  document(value: unknown): void;
  /** One line on stderr. */
  note(text: string): void;
  /** A problem, on stderr. */
  complain(text: (screen: Screen) => string): void;
  readonly progress: Progress;
  /** Lets out what was held back because it could have been the beginning of a secret. */
  end(): void;
}

export interface ConsoleOptions {
  readonly stdout: Way;
  readonly stderr: Way;
  readonly redactor: Redactor;
  /** False: no colour even on a terminal (`NO_COLOR`). */
  readonly colour: boolean;
}

const defaultWidth = 100;

export function createConsole({ stdout, stderr, redactor, colour }: ConsoleOptions): Console {
  const out = maskStream(redactor, (text) => void stdout.write(text));
  const err = maskStream(redactor, (text) => void stderr.write(text));
  const progress = createProgress(
    (text) => err.write(text),
    stderr.isTTY === true,
    () => stderr.columns ?? defaultWidth,
  );
  const screen = screenOf(stdout, colour);
  return {
    screen,
    result: (text) => out.write(text),
    document: (value) => void stdout.write(`${JSON.stringify(redactor.maskJson(value), undefined, 2)}\n`),
    note(text) {
      progress.clear();
      err.write(`${fitted(text, columnsOf(stderr))}\n`);
    },
    complain(text) {
      progress.clear();
      err.write(fitted(text(screenOf(stderr, colour)), columnsOf(stderr)));
    },
    progress,
    end() {
      progress.clear();
      out.end();
      err.end();
    },
  };
}

const columnsOf = (way: Way): number => (way.isTTY === true ? (way.columns ?? defaultWidth) : Number.POSITIVE_INFINITY);

function screenOf(way: Way, colour: boolean): Screen {
  const coloured = colour && way.isTTY === true;
  return { paint: painter(coloured), colour: coloured, width: way.columns ?? defaultWidth, ...(way.isTTY === true ? { columns: columnsOf(way) } : {}) };
}
