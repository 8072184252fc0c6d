import { isWrite } from '../approvals/effect.ts';
import { storeEffects } from '../approvals/effects-document.ts';
import { readHead } from '../ledger/head.ts';
import type { Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { changeRow } from './change-row.ts';
import { changesAsFit, issuedBy, tallied } from './difference.ts';
import { addressOf, isNewerOpen, isShown, openOf, withoutUndefined } from './note-run.ts';
import { isOlder, type Pending } from './row.ts';

/**
 * A gated run has been planned and asks for a decision: what it would do is what is pending. Of a run that a tick started the row knows that
 * already. Lines as they are stored, masked.
 */
export async function notePlanned(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<void> {
  if (!isShown(run)) return;
  const fence = (await readHead(world.table, runScope(run)))?.settled?.fence ?? 0;
  const source = { run: run.id, commit: run.commit, asOf: { fence, at: run.startedAt } };
  const digest = run.options.ticked ? undefined : await storeEffects(world.objects, effectsOf(lines));
  const open = openOf(run, 'asking');
  await changeRow(world, addressOf(run), (before) => {
    if (isNewerOpen(before.open, open)) return undefined;
    if (run.options.ticked || isOlder(source.asOf, before.seen?.asOf)) return { ...before, open };
    const pending = { ...issuedBy(before.pending, digest, source), ...(digest === undefined ? {} : { digest }), ...listOf(lines) };
    return withoutUndefined({ ...before, open, failed: undefined, pending, seen: source });
  });
}

const effectsOf = (lines: readonly RunLine[]) => lines.map(({ spec, result }) => ({ id: spec.id, effects: result?.effects ?? [] }));

function listOf(lines: readonly RunLine[]): Pick<Pending, 'counts' | 'changes' | 'more'> {
  const changes = lines.flatMap(({ spec, result }) =>
    (result?.changes ?? []).filter(({ kind }) => kind !== 'unchanged').map((change) => ({ line: spec.id, change })),
  );
  const effects = lines.flatMap(({ result }) => result?.effects ?? []).filter(isWrite);
  const { listed, more } = changesAsFit(changes);
  return { counts: tallied(effects.map(({ action }) => action as keyof Pending['counts'])), changes: listed, ...more };
}
