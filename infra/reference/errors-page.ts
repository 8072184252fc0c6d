import { type CodeEntry, codes } from '../../shared/errors/codes.ts';
import { code, generatedFrom, page, table } from './markdown.ts';
import { runStatuses } from './statuses.ts';

type Consequence = CodeEntry['consequence'];

/** In the order of the page: what happens next to whatever meets the code. */
const groups: Readonly<Record<Consequence, { readonly title: string; readonly about: string }>> = {
  refused: { title: 'Refused before anything runs', about: 'Nothing was written anywhere. Change what the message names and start again.' },
  'line-failed': {
    title: 'A line fails or is refused',
    about:
      'No further line starts, running ones finish, and what this run created is removed again; a destroy goes on with what does not depend on the line. `EXTERNAL_FAILED` is the exception: the lines that wait for the event are skipped, and nothing is undone.',
  },
  'run-failed': {
    title: 'The run fails',
    about: 'Not the fault of one line. What it had begun is in the ledger: the next run of the scope finishes or undoes it.',
  },
  again: { title: 'It comes back by itself', about: 'The job is put off, not failed.' },
  fenced: { title: 'The lease is held or lost', about: 'Somebody else is at work in the scope. Nothing is forced, and nothing needs to be.' },
  note: { title: 'A note', about: 'The command ends with 0.' },
};

const exits = `
| Exit | Means |
|---|---|
| 0 | done, or nothing to do; lines may wait for an outside event |
| 1 | a line or the run failed |
| 2 | refused before anything ran |
| 3 | a lease is held by another run, or was lost to one |
| 130 | interrupted with Ctrl-C: the run stays where it is |

The code of a problem decides the exit only where the run stopped before any line was worked on. Once lines ran, a failed run
ends with 1 whatever code its lines have, and one that lost its lease with 3.`;

/** `docs/errors.md`: every code, by what happens next. */
export function errorsPage(): string {
  return page(
    generatedFrom('`shared/errors/codes.ts`'),
    '# Codes and exit codes',
    'Whatever Lockkeeper refuses or fails has a code. It stands in the terminal, in the comment and the check of a pull request, in receipts, and under `error.code` with `--json`. The message beside it names the line, the file and the place; a hint there may be more precise than the one here.',
    exits,
    runStatuses(),
    ...Object.entries(groups).map(([consequence, { title, about }]) => `## ${title}\n\n${about}\n\n${codeTable(consequence as Consequence)}`),
  );
}

function codeTable(consequence: Consequence): string {
  const entries: [string, CodeEntry][] = Object.entries(codes).filter(([, entry]) => entry.consequence === consequence);
  return table(
    ['Code', 'Exit', 'When', 'What to do'],
    entries.map(([name, { exit, when, hint }]) => [code(name), String(exit), when, hint]),
  );
}
