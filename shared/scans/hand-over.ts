import { noteFindings } from '../dashboard/note-findings.ts';
import type { Run } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { inBatches } from '../table/in-batches.ts';
import type { Findings, LineFinding } from './findings.ts';
import { foundAfter } from './findings-of.ts';
import { type DriftFound, readAllDriftFound } from './found.ts';
import { forgetFound, noteFound } from './note-found.ts';
import { noteScanEnded } from './note-scan-ended.ts';
import { scanDocument, scanDocumentKey } from './scan-document.ts';
import { tellNews } from './tell-news.ts';

/**
 * Hands a scan's findings to the table and to people. Where scans are off, a person has asked to be shown something, and nothing is kept of it.
 * What was told is noted last: a death before that tells the same again, under the same id.
 *
 *     row ──▶ document ──▶ items ──▶ notices ──▶ told ──▶ scan ended
 */
export async function handOver(world: ControlWorld, run: Run, findings: Findings): Promise<void> {
  await noteFindings(world, run, findings);
  if (!run.watched) return;
  if (!findings.problem) await world.objects.put(scanDocumentKey(findings), JSON.stringify(scanDocument(findings)), { ifAbsent: true });
  const scope = runScope(run);
  const known = await readAllDriftFound(world.table, scope);
  await inBatches(findings.lines, (line) => noteFound(world, scope, line.id, known.get(line.id), (before) => foundAfter(run, line, before)));
  if (!findings.partial && !findings.problem) await forgetOthers(world, scope, known, findings);
  const news = await untold(world, scope, findings.lines);
  if (news.length > 0 && (run.silent || (await tellNews(world, run, findings, news)))) {
    const now = await readAllDriftFound(world.table, scope);
    await inBatches(news, (line) => noteFound(world, scope, line.id, now.get(line.id), (before) => toldOf(line, before)));
  }
  await noteScanEnded(world, run, findings.endedAt);
}

/** What is there still and people were not told of meanwhile: another scan, or a run, may have looked since, and ended first. */
async function untold(world: ControlWorld, scope: string, lines: readonly LineFinding[]): Promise<LineFinding[]> {
  if (lines.every(({ news }) => news === undefined)) return [];
  const now = await readAllDriftFound(world.table, scope);
  return lines.flatMap((line) => {
    const { drifted = [], told = [] } = now.get(line.id) ?? {};
    const news = (line.news ?? []).filter((one) => !told.includes(one) && drifted.some(({ fingerprint }) => fingerprint === one));
    return news.length > 0 ? [{ ...line, news }] : [];
  });
}

/** Lines that the plan does not have any more, of which an earlier look knew. */
async function forgetOthers(world: ControlWorld, scope: string, known: ReadonlyMap<string, DriftFound>, { lines, startedAt }: Findings): Promise<void> {
  const here = new Set(lines.map(({ id }) => id));
  await inBatches(
    [...known.values()].filter(({ line, at }) => !here.has(line) && at <= startedAt),
    (one) => forgetFound(world, scope, one),
  );
}

/** That people were told is so whatever look stands there by now, as far as it has found the same. */
function toldOf({ news = [] }: LineFinding, before: DriftFound | undefined): Omit<DriftFound, 'line' | 'version'> | undefined {
  const here = new Set((before?.drifted ?? []).map(({ fingerprint }) => fingerprint));
  const more = news.filter((one) => here.has(one) && !before?.told?.includes(one));
  if (!before || more.length === 0) return undefined;
  const { line: _line, version: _version, ...stands } = before;
  return { ...stands, told: [...(before.told ?? []), ...more] };
}
