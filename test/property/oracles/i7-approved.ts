import { createHash } from 'node:crypto';
import type { PlanDocument } from '../../../shared/approvals/plan-document.ts';
import { fingerprint } from '../../../shared/secrets/fingerprint.ts';
import type { Sent } from '../house.ts';
import { runsOf, type Seen } from '../stage.ts';

/**
 * I7: what a run wrote in a protected environment somebody approved: the write is among the effects of the very document that was approved
 * in time and not rejected, value for value where that was known; or it removes what the same run made.
 */
export function writtenUnapproved(stage: Seen): string[] {
  return stage.sent.flatMap((one) => {
    if (one.run.environment !== 'production') return [];
    const undoes = one.run.phase === 'rolling-back' && one.method === 'PATCH';
    const why = one.method === 'DELETE' ? notItsOwn(stage, one) : undoes ? notGivenBack(stage, one) : notApproved(stage, one);
    return why === undefined ? [] : [`I7: run ${one.run.id} sent ${one.method} ${one.name}=${one.value} in production: ${why}`];
  });
}

/** What a run made that lost its lease is its successor's: found there by its intent, and undone as the successor's own (P4). */
function notItsOwn({ sent, bench }: Seen, one: Sent): string | undefined {
  const maker = sent.find((other) => other.method === 'POST' && other.done && other.id === one.id)?.run.id;
  if (maker === one.run.id) return undefined;
  const fencedOut = maker !== undefined && runsOf(bench).some((run) => run.id === maker && run.outcome === 'fenced-out');
  return fencedOut && one.entry?.run === one.run.id ? undefined : `run ${maker} made that`;
}

/** What a rollback writes over is what the thing held before a run of ours wrote it first. */
function notGivenBack({ sent }: Seen, one: Sent): string | undefined {
  const before = sent.slice(0, sent.indexOf(one)).some((other) => other.method === 'PATCH' && other.id === one.id && other.from === one.value);
  return before ? undefined : 'it never held that';
}

function notApproved(stage: Seen, one: Sent): string | undefined {
  const { honoured } = one.run;
  if (!honoured) return 'no decision was honoured';
  const answers = stage.answers.filter(
    (answer) => answer.run === one.run.id && answer.q === honoured.q && answer.digest === honoured.digest && answer.at <= one.at,
  );
  if (!answers.some((answer) => answer.verdict === 'approve')) return 'nobody approved';
  if (answers.some((answer) => answer.verdict === 'reject' && answer.inTime)) return 'somebody rejected it in time';
  const body = stage.bench.bucket.bodies(`plans/${honoured.digest}.json`).at(-1);
  if (body === undefined || createHash('sha256').update(body).digest('hex') !== honoured.digest) return 'the document is not what was approved';
  const document = JSON.parse(body) as PlanDocument;
  const effects = document.lines.filter(({ id }) => id === one.line).flatMap((line) => line.effects);
  const actions = one.method === 'POST' ? ['create'] : ['update', 'adopt'];
  const key = `thing:${one.name}`;
  const effect = effects.find((each) => actions.includes(each.action) && (JSON.parse(each.address) as unknown[])[2] === key);
  if (!effect) return 'no such effect was approved';
  const known = effect.paths.find((path) => path.path === 'value');
  if (known?.waitsFor !== undefined || one.value === undefined || effect.after === undefined) return undefined;
  const sent = fingerprint(stage.bench.world().keys.fingerprint, createHash('sha256').update(one.value).digest('hex'));
  return JSON.stringify(sent) === JSON.stringify(effect.after) ? undefined : 'another value was approved';
}
