import { userInfo } from 'node:os';
import { type Freeze, longestFreezeDays, readFreeze } from '../../../shared/freeze/freeze.ts';
import { freezeText, frozen } from '../../../shared/freeze/frozen.ts';
import { type Said, sayFreeze } from '../../../shared/freeze/say-freeze.ts';
import { gitCodeHost } from '../../../shared/platform/git/code-host.ts';
import { untilOf } from '../../../shared/rulings/until.ts';
import type { Run } from '../../../shared/run/items.ts';
import { loadPolicy } from '../../../shared/run/load-policy.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { outcomeOf, plannedText } from '../../../shared/surfaces/outcome.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer } from '../answer.ts';
import { repositoryOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { Store } from '../folder/store.ts';
import type { FreezeCommand, Invocation } from '../invocation.ts';
import { answeredRuns } from '../runs/answered-runs.ts';
import { restOf } from '../runs/await-run.ts';
import { finishLeftRuns } from '../runs/left-runs.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Typed, withFlags } from '../typed.ts';
import { runKindOf } from './listed-question.ts';

/** `freeze`, `unfreeze`: says it as the user of this machine, of the runs of this folder. */
export async function freezeCommand(invocation: Invocation & { command: FreezeCommand }, surroundings: Surroundings): Promise<Answer> {
  const { repository, folder } = await repositoryOf(surroundings.cwd);
  const { console, signal } = surroundings;
  const environment = invocation.env ?? '';
  return atWork(invocation, folder, surroundings, async (sessions) => {
    const { store } = sessions.current();
    const policy = await loadPolicy({ codeHost: gitCodeHost(folder) }, repository);
    const now = store.clock.now();
    const said = freezeSaid(invocation, now, surroundings.redactor.mask);
    const word = { by: { name: userInfo().username, through: 'machine' as const }, start: store.ids.fresh(), at: new Date(now).toISOString() };
    const patience = { progress: console.progress, signal };
    const answered = await answeredRuns(store, repository.id);
    const before = await readFreeze(store, repository.id, environment);
    // Before anything that was left goes on: a freeze is there to keep it.
    const made = await sayFreeze(store, { policy, repository, environment }, said, word);
    const went: RunReport[] = [];
    for (const run of answered) {
      if (await frozen(store, run)) continue;
      // Before anything of it is written: it was approved, and whoever thaws may not know what.
      console.note(`Goes on, as it was approved: ${await letGo(store, run)}.`);
    }
    await finishLeftRuns(sessions, patience, console.note);
    for (const run of answered) {
      if (await frozen(store, run)) continue;
      // Beside another command, whose stack stops when nobody waits: what was answered and kept goes on before.
      const rested = await restOf(sessions, run.id, patience, run.question?.q);
      console.note(`Run ${run.id.slice(0, 12)}, approved while it was frozen, is ${rested.outcome ?? rested.phase}.`);
      went.push(await reportOfRun(store, rested));
    }
    return freezeAnswer(environment, { made, before, went }, invocation);
  });
}

/**
 * What was typed, judged before anything is asked for.
 *
 * @param mask takes secrets of this machine out of the reason: everybody reads it. @throws LockkeeperError USAGE for an end that is none.
 */
export function freezeSaid(
  { command, until = '', reason = '' }: Pick<Invocation, 'command' | 'until' | 'reason'>,
  now: number,
  mask: (text: string) => string = (text) => text,
): Said {
  if (command === 'unfreeze') return 'thaw';
  return { until: untilOf(until, now, longestFreezeDays), reason: mask(reason) };
}

/** What a run would do that is let go on: its kind, its plan, and how much. */
async function letGo(store: Store, run: Run): Promise<string> {
  const would = plannedText(await reportOfRun(store, run));
  return `${runKindOf(run)} of ${run.environment}, ${run.scope}: ${would} (plan ${run.question?.digest.slice(0, 12)}, run ${run.id.slice(0, 12)})`;
}

/** What a word about an environment came to. */
export interface Frozen {
  /** The freeze that holds now, and the one that held before. */
  readonly made: Freeze | undefined;
  readonly before: Freeze | undefined;
  /** What came of the runs that went on because of it, where that is known here. */
  readonly went?: readonly RunReport[];
}

export function freezeAnswer(environment: string, { made, before, went = [] }: Frozen, typed: Typed): Answer {
  const runs = went.map((report) => ({ run: report.run, kind: report.kind, status: report.status, outcome: outcomeOf(report).title }));
  return {
    exit: 0,
    document: { environment, frozen: made ?? null, ...(runs.length === 0 ? {} : { runs }) },
    text: ({ columns }) => {
      const rows = made
        ? frozenRows(made, before, typed)
        : [before ? `${environment} is not frozen any more.` : `${environment} was not frozen: nothing is changed.`];
      const came = runs.map(
        ({ run, outcome }) => `Run ${run.slice(0, 12)}: ${outcome}. ${withFlags(`\`lockkeeper receipt ${run.slice(0, 12)}\``, typed)} shows it.`,
      );
      return fitted(`${[...rows, ...came].map((row) => plain(row, 2000)).join('\n')}\n`, columns);
    },
  };
}

/** What holds now, for whom, in whose place, and what takes it back. */
function frozenRows(made: Freeze, before: Freeze | undefined, typed: Typed): string[] {
  const { sim, stack } = typed;
  const here = stack === undefined ? ` It holds for ${sim ? 'the simulation' : 'the runs'} of this folder alone; a deployed stack is told with --stack.` : '';
  const same = before && before.until === made.until && before.reason === made.reason && before.by === made.by;
  return [
    `${freezeText(made)} Nothing new is applied there until then; plans and questions go on.${here}`,
    ...(before && !same ? [`It takes the place of what was said before: ${freezeText(before)}`] : []),
    `${withFlags(`\`lockkeeper unfreeze ${made.environment}\``, typed)} takes it back.`,
  ];
}
