import { LockkeeperError } from '../../../shared/errors/error.ts';
import { findRun } from '../../../shared/run/find-run.ts';
import { readRunLine } from '../../../shared/run/run-store.ts';
import { openObject } from '../../../shared/stacks/sealed-object.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Answer } from '../answer.ts';
import type { View } from './view.ts';

/**
 * What the infrastructure tool of a line said last, in its own words, masked as far as its secrets are known. Shown here alone, to whoever may read
 * table and bucket: a tool prints values that nobody knows to be secret.
 *
 * @throws LockkeeperError NOT_FOUND, USAGE; SEAL_UNREADABLE.
 */
export async function words({ store, repository, run: wanted, other: line }: View): Promise<Answer> {
  if (wanted === undefined || line === undefined) throw new LockkeeperError({ code: 'USAGE', message: 'Name the run and one of its lines.' });
  const run = await findRun(store, repository.id, wanted);
  const found = await readRunLine(store.table, run.id, line);
  const said = found?.result?.stack?.words ?? found?.applied?.stack?.words;
  const body = said && (await store.objects.get(said.object))?.body;
  if (!said || body === undefined) {
    const message = `Nothing that a tool said of line ${line} is kept with run ${run.id.slice(0, 12)}.`;
    throw new LockkeeperError({
      code: 'NOT_FOUND',
      message,
      hint: 'Lines that are stacks have some, for ninety days: `lockkeeper log <run>` tells what became of the run.',
    });
  }
  const text = openObject(body, said).toString('utf8');
  return {
    exit: 0,
    document: { run: run.id, line, words: text },
    text: () =>
      `${text
        .split('\n')
        .map((row) => plain(row))
        .join('\n')}\n`,
  };
}
