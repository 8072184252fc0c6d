import { type Effect, isWrite } from '../approvals/effect.ts';
import { storeEffects } from '../approvals/effects-document.ts';
import { readHead } from '../ledger/head.ts';
import type { Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { changeRow, type RowAddress } from './change-row.ts';
import { changesAsFit, countedAs, issuedBy, tallied } from './difference.ts';
import { withoutUndefined } from './ended.ts';
import { addressOf, isNewerOpen, isShown, noteOpen, openOf } from './note-run.ts';
import { type Drift, isOlder, type Pending, type Source } from './row.ts';

/**
 * A gated run has been planned and asks for a decision: what it would do is what is pending. Of a run that a tick started the row knows that
 * already. Lines as they are stored, masked.
 */
export async function notePlanned(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<void> {
  if (!isShown(run)) return;
  const fence = (await readHead(world.table, runScope(run)))?.settled?.fence ?? 0;
  const source = { run: run.id, commit: run.commit, asOf: { fence, at: run.startedAt } };
  if (run.options.ticked) return noteOpen(world, run, 'asking');
  const native = lines.filter(({ spec }) => spec.stack === undefined);
  await putPlanned(world, run, addressOf(run), native, source);
  for (const line of lines) if (line.spec.stack) await putPlanned(world, run, { ...addressOf(run), line: line.spec.id }, [line], source);
}

async function putPlanned(world: ControlWorld, run: Run, at: RowAddress, lines: readonly RunLine[], source: Source): Promise<void> {
  const digest = await storeEffects(world.objects, effectsOf(lines));
  const open = openOf(run, 'asking');
  await changeRow(world, at, (before) => {
    if (isNewerOpen(before.open, open)) return undefined;
    if (isOlder(source.asOf, before.seen?.asOf)) return { ...before, open };
    const pending = digest === undefined ? undefined : { ...issuedBy(before.pending, digest, source), digest, ...listOf(lines) };
    const drift = at.line === undefined || !pending ? {} : { drift: withoutBox(before.drift) };
    return withoutUndefined({ ...before, open, failed: undefined, pending, ...drift, seen: source });
  });
}

/** A stack has one box: what is pending is all that its tool would do, and what drifted goes with it. */
function withoutBox(drift: Drift | undefined): Drift | undefined {
  if (!drift) return undefined;
  const { digest: _digest, ...rest } = drift;
  return rest;
}

const effectsOf = (lines: readonly RunLine[]) => lines.map(({ spec, result }) => ({ id: spec.id, effects: result?.effects ?? [] }));

function listOf(lines: readonly RunLine[]): Pick<Pending, 'counts' | 'changes' | 'more'> {
  const changes = lines.flatMap(({ spec, result }) =>
    (result?.changes ?? []).filter(({ kind }) => kind !== 'unchanged').map((change) => ({ line: spec.id, change })),
  );
  const effects = lines.flatMap(({ spec, result }) => counted(spec.stack !== undefined, (result?.effects ?? []).filter(isWrite)));
  const { listed, more } = changesAsFit(changes);
  return { counts: tallied(effects.map(countedAs)), changes: listed, ...more };
}

/** Of a stack its resources are counted, and the run of its tool only where nobody knows more yet. */
function counted(isStack: boolean, effects: readonly Effect[]): readonly Effect[] {
  const resources = isStack ? effects.filter(({ action }) => action !== 'run') : effects;
  return resources.length === 0 ? effects : resources;
}
