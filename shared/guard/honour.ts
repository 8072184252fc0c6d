import { readDecisions } from '../approvals/decision.ts';
import type { Problem } from '../errors/error.ts';
import { frozen } from '../freeze/frozen.ts';
import type { Tenure } from '../lease/lease.ts';
import type { Policy } from '../policy/types.ts';
import { judgeAsked, sureOf } from '../run/decided.ts';
import { endAsked, ranOut } from '../run/end-asked.ts';
import { questionOf, type Run } from '../run/items.ts';
import { queueStep } from '../run/phase.ts';
import { releaseAndWake } from '../run/release.ts';
import { logEvent } from '../run/run-log.ts';
import { freedStep, saveOrAgain } from '../run/run-store.ts';
import { toQuestion } from '../run/tell-machine.ts';
import type { ControlWorld } from '../run/world.ts';
import { honourTicked } from '../ticks/honour-ticked.ts';
import { planAgain } from './plan-again.ts';

export type Honoured = NonNullable<Run['honoured']>;

/**
 * The decisions that count, judged once, under the lease: later expiry does not stop a running apply, and only a resume asks whether
 * they have run out (P7). Undefined: they do not let the run go on, and it has ended or is back at its question.
 */
export async function honour(
  world: ControlWorld,
  run: Run,
  tenure: Tenure,
  { policy, protects: protectedNow }: { readonly policy: Policy; readonly protects: readonly string[] },
): Promise<Honoured | undefined> {
  const question = questionOf(run);
  const known = run.honoured?.q === question.q ? run.honoured : undefined;
  const protects = [...new Set([...(run.protects ?? []), ...protectedNow])].sort();
  const now = world.clock.now();
  // Until its lines are let go nothing of it is written, however often the guard comes by: after a recheck, after a death.
  const begun = known !== undefined && (known.begun === true || known.round !== run.round);
  if (known && !begun && known.decisions.length > 0) {
    if (await frozen(world, { ...run, protects })) return backToQuestion(world, run, protects);
  }
  if (known && !begun && run.options.ticked && known.decisions.length === 0) {
    // Somebody protected it meanwhile: from now on people decide.
    if (protects.length > 0 && (run.protects ?? []).length === 0) return asksFromNow(world, run);
    if (protects.length === 0 && !(await honourTicked(world, run, policy))) return undefined;
  }
  const holds = known && (known.round === run.round || known.decisions.length === 0 || known.expiresAt > now);
  if (holds) return { ...known, fence: tenure.fence, round: run.round, ...(begun && { begun }) };
  // What was honoured cannot be taken back any more; it can only run out.
  if (known) return end(world, run, 'expired', known.decisions, ranOut(run));
  const { verdict, counted } = await judgeAsked(world, { ...run, protects }, policy);
  if (verdict === 'reject') return end(world, run, 'rejected', await sureOf(world, run, counted));
  if (question.expiresAt <= now) return end(world, run, 'expired', counted, verdict && ranOut(run, await frozen(world, { ...run, protects })));
  if (verdict === undefined || (await frozen(world, { ...run, protects }))) return backToQuestion(world, run, protects);
  const head = world.codeHost.unverified ? ({ head: 'unverified' } as const) : {};
  return { ...question, decisions: await sureOf(world, run, counted), fence: tenure.fence, round: run.round, ...head };
}

/**
 * Tells that a run is let go on with a head that nobody has verified: before the run says so, or a death right after would leave it untold.
 *
 * @param run as it stands before that.
 */
export async function tellBrokenGlass(world: ControlWorld, run: Run, honoured: Honoured): Promise<void> {
  if (honoured.head === undefined || (run.honoured?.q === honoured.q && run.honoured.head !== undefined)) return;
  // An alarm counts this line.
  world.log.error('the glass was broken', { run: run.id, environment: run.environment, scope: run.scope });
  await logEvent(world, run, 'glass broken', { detail: honoured.digest });
}

/**
 * Looks at the answers once more when the run says that some are honoured. Whoever else rejected while those were judged is heard here;
 * whoever does so later can see in the run that it goes on. A round that goes on after a wait has nothing left to hear.
 *
 *     guard:      reads an approval ────────────▶ honoured, the run says so ─▶ reads a rejection: ends
 *     another person:               rejects ─▶
 *
 * @param run as it stands with what was honoured.
 * @returns whether it has ended by that.
 */
export async function isRejectedMeanwhile(world: ControlWorld, run: Run, known: Run['honoured'], policy: Policy): Promise<boolean> {
  const question = questionOf(run);
  if (run.honoured?.decisions.length === 0 || (known?.q === question.q && known.round !== run.honoured?.round)) return false;
  const answers = await readDecisions(world.table, { ...question, run: run.id });
  if (!answers.some(({ verdict }) => verdict === 'reject')) return false;
  const { verdict, counted } = await judgeAsked(world, run, policy);
  if (verdict !== 'reject') return false;
  await end(world, run, 'rejected', await sureOf(world, run, counted));
  return true;
}

/** What nobody was asked about is planned and put to people. */
async function asksFromNow(world: ControlWorld, run: Run): Promise<undefined> {
  await planAgain(world, run);
  return undefined;
}

async function end(world: ControlWorld, run: Run, status: 'rejected' | 'expired', answers: Honoured['decisions'], problem?: Problem): Promise<undefined> {
  await endAsked(world, run, status, { answers, ...(problem && { problem }) });
  return undefined;
}

/**
 * Nobody who counts has approved it (whoever did has lost the right meanwhile, or one more environment is protected by now), or one of its
 * environments is frozen. The same question stays open for somebody else, since nothing about what it shows has changed, and whatever was
 * honoured is no more than answered: it is judged, and rechecked, anew. What is protected is remembered: the step that tends the question
 * judges as the guard does, or the two would send the run to and fro. That step also opens it where it was closed already.
 */
async function backToQuestion(world: ControlWorld, run: Run, protects: readonly string[]): Promise<undefined> {
  const since = new Date(questionOf(run).expiresAt).toISOString();
  const parked = { phase: 'awaiting' as const, status: 'awaiting', since, step: freedStep(run), protects };
  const asked = await saveOrAgain(world, run, parked, ['honoured', 'recheck', 'cursor']);
  await releaseAndWake(world, asked);
  if (asked.guard) await world.machine.succeed(asked.guard.token, toQuestion(world, asked));
  await queueStep(world, asked);
  return undefined;
}
