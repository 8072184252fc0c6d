import { utc } from '../errors/moment.ts';
import { identityHash } from '../ledger/identity.ts';
import { type Edited, leaves } from '../rulings/acceptance.ts';
import { isMadeFor, lets } from '../rulings/lift.ts';
import { holds, type Ruling, readRuling } from '../rulings/ruling.ts';
import type { DriftKind } from '../run/report.ts';
import { unlessIgnored } from './ignored.ts';
import type { Inspecting } from './inspecting.ts';
import { type Evidence, judge, type Verdict } from './judge.ts';
import { editedAs, isEdited } from './to-accept.ts';

/** The verdicts on a line's resources, and the person's word that they rest on where they would be others without it. */
export interface Ruled {
  readonly verdicts: readonly Verdict[];
  readonly lift?: Ruling;
  readonly accepted?: Ruling;
}

/**
 * Judges a line's resources, and asks for a person's word where one could change a refusal: an acceptance for what was edited outside, a
 * lift for what exists and nobody has claimed. Nothing else is read for the lines that need none.
 */
export async function judgeWithRulings(job: Inspecting, evidence: readonly Evidence[]): Promise<Ruled> {
  const { world, scope, run, line } = job;
  const verdicts = evidence.map((one) => unlessIgnored(job, one, judge(one)));
  const word = (kind: 'accept' | 'lift') => readRuling(world.table, scope, kind, line.spec.id);
  if (verdicts.some(isEdited)) {
    const accepted = await word('accept');
    if (accepted && holds(accepted, world)) return judgeAccepted(job, evidence, verdicts, accepted);
  }
  if (!isMadeFor(run, line.spec.id) || !verdicts.some(isRefusedFor('ADOPT_REQUIRED'))) return { verdicts };
  const lift = await word('lift');
  return lift?.for === run.id && holds(lift, world)
    ? { verdicts: evidence.map((one) => unlessIgnored(job, one, judgeLifted(job, one, lift))), lift }
    : { verdicts };
}

/** What was shown when somebody let the line take it over, it may; anything else is shown before. */
function judgeLifted({ run, call }: Inspecting, evidence: Evidence, lift: Ruling): Verdict {
  const { op, change, found } = evidence;
  const identity = identityHash({ adapter: op.adapter, account: call.identity, key: change.key });
  if (lets(lift, run, identity, found)) return judge({ ...evidence, mayAdopt: true });
  const verdict = judge(evidence);
  if (verdict.do !== 'refuse' || !isRefusedFor('ADOPT_REQUIRED')(verdict)) return verdict;
  const message = `${verdict.problem.message} It is not what was shown before ${lift.by.name} let the line take something over.`;
  return { ...verdict, problem: { ...verdict.problem, message } };
}

/** An acceptance leaves the line where it is of every edit that is there; one edit more, or another one, is refused and shown first. */
function judgeAccepted(job: Inspecting, evidence: readonly Evidence[], verdicts: readonly Verdict[], accepted: Ruling): Ruled {
  const edits = evidence.map((one) => editedAs(job, one));
  const isLeft = (edited: Edited | undefined) => edited !== undefined && leaves(accepted, job.run, edited);
  const others = verdicts.map((verdict, at) => isEdited(verdict) && !isLeft(edits[at]));
  if (!others.includes(true)) return { verdicts: verdicts.map((verdict) => leftAs(verdict, accepted)), accepted };
  return { verdicts: verdicts.map((verdict, at) => (others[at] ? notAccepted(verdict, accepted) : verdict)) };
}

function notAccepted(verdict: Verdict, { by, usedBy }: Ruling): Verdict {
  if (verdict.do !== 'refuse' || usedBy !== undefined) return verdict;
  const message = `${verdict.problem.message} It is not what ${by.name} was shown and has accepted.`;
  return { ...verdict, problem: { ...verdict.problem, message } };
}

/**
 * A line that was accepted as somebody edited it counts as unchanged, all of it: nothing of it is written, and what is as wanted is
 * recorded still. What belongs to somebody else is refused as ever.
 */
function leftAs(verdict: Verdict, { until = '', by, reason = '' }: Ruling): Verdict {
  const drift = 'drift' in verdict && verdict.drift ? { drift: { ...verdict.drift, message: leftMessage[verdict.drift.kind] ?? verdict.drift.message } } : {};
  if (verdict.do === 'create' || verdict.do === 'update' || isRefusedFor('ADOPT_REQUIRED')(verdict)) return { do: 'leave', ...drift };
  if (verdict.do !== 'refuse' || !isEdited(verdict) || !verdict.drift) return verdict;
  const message = `${verdict.drift.message} It is left as it is until ${utc(until)}, as ${by.name} has accepted: ${reason}`;
  return { do: 'leave', drift: { ...verdict.drift, message, accepted: { until, by: by.name, reason } } };
}

const leftMessage: Partial<Record<DriftKind, string>> = { missing: 'It is gone, and its line is left as it is.' };

const isRefusedFor =
  (code: string) =>
  (verdict: Verdict): boolean =>
    verdict.do === 'refuse' && verdict.problem.code === code;
