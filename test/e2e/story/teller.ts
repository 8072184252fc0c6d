import pc from 'picocolors';
import { closingTable } from './closing-table.ts';
import { progressBar } from './progress-bar.ts';
import type { StoryResult } from './result.ts';

/** How the story reaches whoever watches. */
export interface Teller {
  chapter(number: number, of: number, title: string): void;
  /** The chapter cannot be told here. */
  untold(why: string): void;
  step(outside: string, lockkeeper: string): void;
  wait<T>(what: string, expectedMs: number, coming: Promise<T>): Promise<T>;
  end(result: StoryResult): void;
}

export interface Screen {
  print(text: string): void;
  /** A person watches: lines may be redrawn. */
  readonly live: boolean;
  readonly colour: boolean;
  readonly columns: number;
}

/** Says nothing: for `--json`. */
export const silent: Teller = { chapter() {}, untold() {}, step() {}, wait: (_what, _expectedMs, coming) => coming, end() {} };

/** Tells the story as text: a title a chapter, two lines a step, one table at the end. */
export function textTeller(screen: Screen): Teller {
  const paint = pc.createColors(screen.colour);
  const line = (text = '') => screen.print(`${text}\n`);
  const wrapped = (first: string, text: string, colour: (text: string) => string) => {
    const [head = '', ...more] = wrap(text, Math.min(screen.columns, 110) - 6);
    line(`${first} ${colour(head)}`);
    for (const rest of more) line(`      ${colour(rest)}`);
  };
  return {
    chapter(number, of, title) {
      line();
      line(`${paint.bold(`${number}/${of}  ${title}`)}`);
    },
    untold(why) {
      wrapped(`    ${paint.yellow('–')}`, `not told: ${why}`, paint.yellow);
    },
    step(outside, lockkeeper) {
      wrapped(`    ${paint.dim('•')}`, outside, paint.dim);
      wrapped(`    ${paint.cyan('→')}`, lockkeeper, (text) => text);
    },
    wait: (what, expectedMs, coming) => progressBar(screen, what, expectedMs, coming),
    end(result) {
      line();
      for (const row of closingTable(result, paint)) line(row);
    },
  };
}

/** Breaks text between words. */
export function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows;
}
