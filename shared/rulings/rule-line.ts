import type { Said } from '../../events/said.ts';
import { contextOf } from '../engine/line-call.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { runIdOf } from '../run/create-run.ts';
import type { RunOptions } from '../run/items.ts';
import { loadPlan, type Planned } from '../run/load-plan.ts';
import { environmentsOf, runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { sayBefore } from './lift.ts';
import type { Ruler } from './ruling.ts';
import { judgeLine, rulingOfSaid } from './said.ts';
import { judgeRuler } from './who-may-rule.ts';

/**
 * Judges what a person said about a line of a plan at a commit, and records it in the scope. The run that shows what comes of it is the
 * caller's to make.
 *
 *     rule ──▶ crash here: said again with the same start it changes nothing, and the run is made
 *
 * @param start the intake's or command's id. @param at when it was said, ISO 8601.
 * @throws LockkeeperError USAGE for a line that is not there, or an acceptance that makes no sense; NOT_AN_APPROVER, APPROVER_NOT_A_PERSON;
 * the plan file's own mistakes; what the host throws.
 */
export async function ruleLine(world: ControlWorld, run: Planned, said: Said, by: Ruler, start: string, at: string): Promise<void> {
  const ruling = rulingOfSaid(said, by, at);
  const { lines, policy } = await loadPlan(world, run);
  judgeLine(
    said.line,
    lines.map(({ id }) => id),
  );
  const line = lines.find(({ id }) => id === said.line);
  const writes = line && world.registry.find(line.adapter, line.op)?.writesEnvironment(line.params, line.provider, contextOf(run));
  const scope = runScope(run);
  const wrote = (await readLedgerLine(world.table, scope, said.line))?.wrote ?? [];
  await judgeRuler(world, by, {
    repository: run.repository,
    policy,
    environments: environmentsOf(run, { ...(writes === undefined ? {} : { writes }), wrote }),
  });
  if (!ruling) return;
  const masked = ruling.reason === undefined ? ruling : { ...ruling, reason: world.redactor.mask(ruling.reason) };
  await sayBefore(world, scope, start, runIdOf(start, run), masked);
  world.log.info('a person ruled on a line', { scope, line: said.line, kind: ruling.kind, through: by.through });
}

/** The options of the run that shows what comes of it. */
export function optionsOfSaid(options: RunOptions, { verb, line }: Said): RunOptions {
  if (verb === 'reconcile' || verb === 'recreate') return { ...options, [verb]: [line] };
  if (verb === 'accept') return { ...options, accept: line };
  return verb === 'adopt' ? { ...options, adopt: line } : options;
}
