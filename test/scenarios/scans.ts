/** What scans have found and kept, in the words of expectations. */
import type { Findings, LineFinding } from '../../shared/scans/findings.ts';
import type { DriftFound } from '../../shared/scans/found.ts';
import type { Stage } from './stage.ts';

const byKey = <T>(one: LineFinding, of: (resource: LineFinding['resources'][number]) => T | undefined): Record<string, T> =>
  Object.fromEntries(
    one.resources.flatMap((resource) => {
      const value = of(resource);
      return value === undefined ? [] : [[resource.key, value]];
    }),
  );

/** A scan's findings: of each line only what there is to say. */
export function findingsOf({ house }: Stage, run: string | undefined): Record<string, unknown> | null {
  const body = house.bucket.bodies(`runs/${run}/findings.json`).at(-1);
  if (body === undefined) return null;
  const { lines, apply, repair, problem, by, partial } = JSON.parse(body) as Findings;
  return {
    by,
    ...(partial ? { partial } : {}),
    ...Object.fromEntries(lines.map((line) => [line.id, finding(line)])),
    apply: apply?.lines.map(({ id }) => id) ?? null,
    repair: repair?.lines.map(({ id }) => id) ?? null,
    ...(problem ? { problem: problem.code } : {}),
  };
}

function finding(line: LineFinding): Record<string, unknown> {
  const pending = line.resources.filter((one) => one.pending).map(({ key }) => key);
  return {
    looked: line.looked,
    drifted: byKey(line, ({ drifted }) => drifted),
    pending,
    accepted: byKey(line, ({ accepted }) => accepted?.reason),
    ignored: byKey(line, ({ ignored }) => ignored?.map(({ path, reason }) => (path === undefined ? reason : `${path}: ${reason}`))),
    paths: byKey(line, ({ drifted, change }) => (drifted ? change?.fields.map(({ path }) => path) : undefined)),
    news: line.news?.length ?? 0,
    ...(line.failed ? { failed: { step: line.failed.step, code: line.failed.problem.code, times: line.failed.times } } : {}),
    ...(line.cleanAt === undefined ? {} : { cleanAt: line.cleanAt }),
    firstSeen: byKey(line, ({ firstSeen }) => firstSeen),
    deeds: line.deeds.length,
  };
}

/** Every DRIFT item, by line. */
export function foundOf({ house }: Stage): Record<string, unknown> {
  const items = house.memory.items().filter(({ sk }) => sk.startsWith('DRIFT#')) as unknown as DriftFound[];
  return Object.fromEntries(
    items.map(({ line, drifted = [], told = [], failed, cleanAt }) => [
      line,
      { drifted: drifted.map(({ key }) => key), told: told.length, failed: failed?.times ?? 0, clean: cleanAt !== undefined },
    ]),
  );
}

/** Labels of each notice on the bus, as the log of a step has them. */
export const noticesIn = (log: string): string[][] =>
  log
    .split('\n')
    .filter((line) => line.includes('"announced":"drift.found"'))
    .map((line) => (JSON.parse(line) as { lines: { resources: { key: string }[] }[] }).lines.flatMap(({ resources }) => resources.map(({ key }) => key)));
