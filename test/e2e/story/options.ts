import { parseArgs } from 'node:util';
import { chapters } from './chapters.ts';

export interface StoryOptions {
  readonly json: boolean;
  readonly keep: boolean;
  readonly help: boolean;
  readonly chapters: readonly string[];
}

export const usage = `npm start -- [options]

Tells one release from a pull request to a receipt: real handlers, queues and conditional writes on an embedded AWS stack,
against a fake Neon, Vercel, Clerk and GitHub. No account, no network. Ends with exit code 0 when every chapter ended as it should.

  --json            the same story as one JSON document, and nothing else, on standard output
                    (npm prints two lines of its own before it, unless it is called as npm start --silent -- --json)
  --keep            leaves everything up, prints where it listens and what to try, and waits for Ctrl-C
  --chapter <name>  tells one chapter, with those it builds on; may be given several times
                    (${chapters.map((chapter) => chapter.name).join(', ')})
  --help            this text
`;

/** Reads the flags, or says what is wrong with them. */
export function readOptions(args: readonly string[]): StoryOptions | { readonly wrong: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        chapter: { type: 'string', multiple: true, default: [] },
      },
    });
    const unknown = values.chapter.find((name) => !chapters.some((chapter) => chapter.name === name));
    if (unknown !== undefined) return { wrong: `there is no chapter ${unknown}; there is: ${chapters.map((chapter) => chapter.name).join(', ')}` };
    return { json: values.json, keep: values.keep, help: values.help, chapters: values.chapter };
  } catch (error) {
    return { wrong: error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error) };
  }
}
