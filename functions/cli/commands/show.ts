import { readFreeze } from '../../../shared/freeze/freeze.ts';
import { isLive, type Lease, readLease } from '../../../shared/lease/lease.ts';
import { type Entry, isIntent, type LedgerLine } from '../../../shared/ledger/entry.ts';
import { readHead } from '../../../shared/ledger/head.ts';
import { readLedger } from '../../../shared/ledger/ledger-line.ts';
import { judgeEnvironment } from '../../../shared/plan/activate.ts';
import type { Run } from '../../../shared/run/items.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { count, utc } from '../../../shared/surfaces/words.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer, Screen } from '../answer.ts';
import type { Store } from '../folder/store.ts';
import { openRuns } from '../runs/left-runs.ts';
import type { Typed } from '../typed.ts';
import { freezeTexts } from './listed-freeze.ts';
import { questionsTexts } from './listed-question.ts';
import { listedQuestions, listedRun, runRows, waitingTexts } from './runs.ts';
import type { ScopePlace } from './view.ts';

/** One managed resource, as it is listed. */
interface Managed {
  readonly line: string;
  readonly resource: string;
  readonly key: string;
  readonly id: string | null;
  readonly label: string;
  readonly origin: 'created' | 'adopted' | 'being created';
  readonly orphan: boolean;
  readonly cleanAt: string | null;
}

/**
 * What the scope manages now, who is at work in it, and which of its runs are open.
 *
 * @param declared environments of the plan file at hand. @throws LockkeeperError ENV_UNKNOWN of a name that neither it nor any run knows.
 */
export async function show(store: Store, place: ScopePlace, typed: Typed, declared?: readonly string[]): Promise<Answer> {
  const [ledger, lease, head, open, asked, frozen] = await Promise.all([
    readLedger(store.table, place.key),
    readLease(store, place.key),
    readHead(store.table, place.key),
    openRuns(store),
    openQuestions(store, place.repository.id),
    readFreeze(store, place.repository.id, place.environment),
  ]);
  if (head === undefined && ledger.length === 0) judgeEnvironment({ environments: declared ?? [place.environment] }, place.environment);
  const managed = ledger.flatMap((line) => line.entries.map((entry) => managedOf(line, entry)));
  const lock = lease && isLive(lease, store.clock.now()) ? lockOf(lease) : null;
  const waiting = await Promise.all((head?.openRuns ?? []).map((id) => readRun(store.table, id)));
  const waits = await waitingTexts(
    store,
    waiting.filter((run) => run !== undefined),
    typed,
  );
  const here = (run: Run) => run.environment === place.environment && run.scope === place.scope && run.repository.id === place.repository.id;
  const all = [...open.filter(here), ...waiting.filter((run) => run !== undefined)].map(listedRun);
  const questions = await listedQuestions(
    store,
    asked.filter(({ run }) => here(run)),
  );
  const { environment } = place;
  return {
    exit: 0,
    document: { environment, scope: place.scope, managed, lock, openRuns: all, questions, frozen: frozen ?? null, destroyed: head?.tombstone?.at ?? null },
    text: (screen) =>
      fitted(
        [
          `${count(managed.length, 'resource')} managed in ${plain(environment)}, scope ${plain(place.scope)}`,
          ...(managed.length > 0 ? ['', ...managedTexts(managed, screen)] : []),
          '',
          ...questionsTexts(questions, screen, typed),
          ...freezeTexts(frozen ? [frozen] : [], screen),
          ...waits,
          lock
            ? `Run ${lock.holder.slice(0, 12)} holds the lease since ${utc(lock.acquiredAt)}, until ${utc(lock.expiresAt)} at the latest.`
            : 'Nobody holds the lease.',
          ...(head?.tombstone ? [`The scope was destroyed at ${utc(head.tombstone.at)}.`] : []),
          ...(all.length > 0 ? ['', 'Open runs:', ...runRows(all).map((row) => `  ${row}`)] : []),
          '',
        ].join('\n'),
        screen.columns,
      ),
  };
}

const lockOf = ({ holder, grantedAt, expiresAt }: Lease) => ({
  holder,
  acquiredAt: new Date(grantedAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});

function managedOf({ line }: LedgerLine, entry: Entry): Managed {
  const origin = isIntent(entry) ? 'being created' : entry.createdBy === 'adopted' ? 'adopted' : 'created';
  const { adapter, op, key, label, id = null, cleanAt = null } = entry;
  return { line, resource: `${adapter}.${op}`, key, id, label, origin, orphan: entry.orphan === true, cleanAt };
}

/** Each line of the plan once, with what it manages below it. */
function managedTexts(managed: readonly Managed[], { paint }: Screen): string[] {
  const width = Math.min(40, Math.max(0, ...managed.map(({ line }) => plain(line).length)));
  const lines = Map.groupBy(managed, ({ line }) => line);
  return [...lines].flatMap(([line, entries]) => [
    `${paint('done', '=')} ${plain(line).padEnd(width)}  ${plain(entries[0]?.resource ?? '')}`,
    ...entries.map(({ label, id, origin, orphan }) => {
      const marks = [...(origin === 'created' ? [] : [origin]), ...(orphan ? ['no line wants it any more'] : [])].join(', ');
      return `    ${plain(label)}${id === null ? '' : `  ${paint('same', plain(id))}`}${marks === '' ? '' : `  ${paint('open', marks)}`}`;
    }),
  ]);
}
