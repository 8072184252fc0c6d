import { freeAnswers } from '../approvals/decision.ts';
import type { Approvals, Judged } from '../approvals/judge-decisions.ts';
import { type Question, readQuestion, storeToken } from '../approvals/question.ts';
import { problemOf } from '../errors/error.ts';
import type { Freeze } from '../freeze/freeze.ts';
import { frozen } from '../freeze/frozen.ts';
import { announceStops } from '../guard/stale.ts';
import { readHead } from '../ledger/head.ts';
import { decideAsTicked } from '../ticks/tickers.ts';
import { isCancelled } from './cancel.ts';
import { showCard } from './card.ts';
import { judgeAsked, sureOf } from './decided.ts';
import { endAsked, ranOut } from './end-asked.ts';
import { endSilence, isLong, isNextLook, nextLook, silenceOf, type WatchedHost, watchedHost } from './host-away.ts';
import { questionOf, type Run } from './items.ts';
import { newerOpenRun } from './open-runs.ts';
import { queueStep } from './phase.ts';
import { publish } from './publish.ts';
import { askAgain, putQuestion, startExecution } from './put-question.ts';
import { readAsked } from './read-asked.ts';
import { runScope } from './run-scope.ts';
import { freedStep, freeStep, saveOrAgain } from './run-store.ts';
import { hostAsSeen, keepPolicy } from './seen.ts';
import { tookItsPlace } from './supersede.ts';
import type { ControlWorld } from './world.ts';
import { judgeAskedWorld } from './world-judgement.ts';

/**
 * A step of a run that is parked at a question: the token it brings is stored first, then decisions and expiry are looked at.
 * Whoever finds enough completes the token. Nobody may be waiting with it any more: its execution has ended, or goes to the guard just
 * now. The guard then begins without it; a state of the machine that comes later is told what has become of the run (P7).
 *
 * A host that does not answer ends no question: it stays until it has run out, and the sweep looks again.
 */
export async function tendQuestion(world: ControlWorld, asked: Run, arrival?: { token: string; entered: string }): Promise<void> {
  const { q, digest, expiresAt } = questionOf(asked);
  const found = await readQuestion(world.table, digest, asked.id, q);
  const question = arrival && found ? await storeToken(world, found, arrival.token, arrival.entered) : found;
  if (asked.stopping) return endAsked(world, asked, isCancelled(asked) ? 'cancelled' : asked.stopping.cause === 'died' ? 'failed' : 'superseded');
  // A death between the swap and the question must not leave a run that nobody can answer.
  if (!question) return (await putQuestion(world, asked)) ? tendQuestion(world, asked, arrival) : undefined;
  if (asked.options.ticked) await decideAsTicked(world, asked, { q, digest });
  const newer = await newerOpenRun(world, asked);
  if (newer) return endAsked(world, asked, 'superseded', { problem: tookItsPlace(newer) });
  const watched = watchedHost(world);
  const { run, verdict, counted, approvals } = await judgedOrAway(world, asked, watched);
  if (verdict === 'reject') return endAsked(world, run, 'rejected', { answers: await sureOf(world, run, counted) });
  const freeze = await frozen(world, run);
  // What is approved and frozen stays at its question: the sweep looks again, and nobody is asked twice.
  const waits = verdict === undefined || freeze !== undefined;
  if (waits && expiresAt <= world.clock.now()) {
    const kept = verdict === undefined ? {} : { problem: ranOut(run, freeze) };
    return endAsked(world, run, 'expired', { answers: await sureOf(world, run, counted), ...kept });
  }
  // Whoever has approved leaves it to the guard, and whoever has just asked has looked.
  const past = waits && !arrival ? await whileHostAnswers(world, run, () => pastOf(watched.world, run)) : undefined;
  if (watched.hasAnswered()) await endSilence(world, run);
  // Of a newer commit the plan may be on its way, or never come: its own question is what takes this one's place (P7).
  if (past && !past.newer) return endAsked(world, run, past.is, { problem: { code: past.is === 'stale' ? 'STALE' : 'SUPERSEDED', message: past.why } });
  if (!waits && !(await tellGuard(world, run, question))) return guardUntold(world, run);
  // An embedded stack that was ended forgot its executions; a running one says that it exists.
  if (waits && !arrival) await startExecution(world, run);
  if (!waits) return freeStep(world, run);
  if (question.state === 'closed' && !(await askAgain(world, run))) return freeStep(world, run);
  await freeAnswers(world, { q, digest, run: run.id }, run.step?.attempt ?? 0);
  if (run.round > 1) await announceStops(world, run);
  const told = await tellStanding(world, run, approvals, freeze);
  await showCard(world, told);
  return freeStep(world, told);
}

/**
 * What the answers come to. While the host is silent nobody can say, and the run looks again each minute, until that has been long: then the answers of
 * mapped AWS principals are judged by what was stored. If that is not enough, whoever wakes the run next begins anew. The guard does the same.
 */
async function judgedOrAway(
  world: ControlWorld,
  asked: Run,
  watched: WatchedHost,
): Promise<Pick<Judged, 'verdict' | 'counted' | 'approvals'> & { readonly run: Run }> {
  let silent: unknown;
  const judged = await whileHostAnswers(world, asked, () =>
    judgeAsked(watched.world, asked).catch((error: unknown) => {
      if (watched.away(error)) silent = error;
      throw error;
    }),
  );
  const run = await keepPolicy(world, asked, watched.policy());
  if (judged) return { run, ...judged };
  if (silent === undefined || world.stack === 'embedded') return { run, counted: [] };
  const now = world.clock.now();
  const away = silenceOf(run, now);
  const noted = await saveOrAgain(world, run, { away });
  if (!isLong(away) && isNextLook(run, now)) await queueStep(world, noted, nextLook);
  const codeHost = isLong(away) ? await hostAsSeen(world, noted, silent) : undefined;
  if (!codeHost) return { run: noted, counted: [] };
  const { verdict, counted } = await judgeAsked({ ...world, codeHost }, noted);
  return { run: noted, counted, ...(verdict === undefined ? {} : { verdict }) };
}

/** Shows who has approved, while that is not enough, and what keeps an approved plan waiting; once for each change of it. A death in between shows it again. */
async function tellStanding(world: ControlWorld, run: Run, approvals: Approvals | undefined, freeze: Freeze | undefined): Promise<Run> {
  const { q } = questionOf(run);
  const told = run.approvals?.q === q ? run.approvals.by : [];
  const shown = run.frozen?.q === q ? run.frozen : undefined;
  if (String(approvals?.by ?? told) === String(told) && freeze?.until === shown?.until && freeze?.reason === shown?.reason) return run;
  const { frozen: _ended, ...thawed } = run;
  const next = { ...(approvals && { approvals: { q, ...approvals } }), ...(freeze && { frozen: { ...freeze, q } }) };
  await publish(world, run, await readAsked(world, { ...thawed, ...next }));
  return saveOrAgain(world, run, next, freeze ? [] : ['frozen']);
}

const pastOf = async (world: ControlWorld, run: Run) => judgeAskedWorld(world, run, await readHead(world.table, runScope(run)));

/** What comes of asking the host; undefined, too, while it does not answer. */
async function whileHostAnswers<T>(world: ControlWorld, run: Run, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { code, message } = problemOf(error);
    if (code !== 'CODE_HOST' && code !== 'GIT_FAILED' && !code.startsWith('PROVIDER_')) throw error;
    world.log.warn('a question waits for the host to answer', { run: run.id, code, message: world.redactor.mask(message) });
    return undefined;
  }
}

/** Tells the machine that there is something to guard. False: no state of it waits to hear that. */
async function tellGuard(world: ControlWorld, run: Run, { token }: Question): Promise<boolean> {
  if (token === undefined) return (await startExecution(world, run)) === 'started';
  return (await world.machine.succeed(token, { next: 'guard' })) === 'done';
}

async function guardUntold(world: ControlWorld, run: Run): Promise<void> {
  const since = new Date(world.clock.now()).toISOString();
  await saveOrAgain(world, run, { phase: 'guarding', status: 'open', since, step: freedStep(run) });
  await queueStep(world, run);
}
