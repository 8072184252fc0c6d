/** Lines in an order in which each stands after what it needs. */

export interface Order {
  /** Ids: depth first, in file order, the needs of each line by id. */
  readonly ids: readonly string[];
  /** Circles among the lines: each a path whose last line needs its first. Lines on them are in `ids` too, in no useful order. */
  readonly circles: readonly (readonly string[])[];
}

interface Visit {
  readonly id: string;
  readonly needs: readonly string[];
  next: number;
}

/**
 * Orders the lines of `needs`: id → ids it needs, sorted; the map's own order is the file's. Ids that are no key are passed over.
 * Linear in lines and needs, and without recursion: a chain may be as long as the file.
 */
export function orderLines(needs: ReadonlyMap<string, readonly string[]>): Order {
  const done = new Set<string>();
  const circles: (readonly string[])[] = [];
  const inCircle = new Set<string>();
  for (const start of needs.keys()) {
    if (done.has(start)) continue;
    const path: Visit[] = [{ id: start, needs: needs.get(start) ?? [], next: 0 }];
    const depth = new Map([[start, 0]]);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const id = visit.needs[visit.next];
      visit.next += 1;
      if (id === undefined) {
        path.pop();
        depth.delete(visit.id);
        done.add(visit.id);
        continue;
      }
      const inner = needs.get(id);
      if (inner === undefined || done.has(id)) continue;
      const at = depth.get(id);
      if (at === undefined) {
        depth.set(id, path.length);
        path.push({ id, needs: inner, next: 0 });
      } else if (!inCircle.has(id)) {
        const circle = path.slice(at).map((on) => on.id);
        for (const member of circle) inCircle.add(member);
        circles.push(circle);
      }
    }
  }
  return { ids: [...done], circles };
}

/** A circle as people read it: `a → b → a`; the middle of a long one is counted, not printed. */
export function circleText(circle: readonly string[]): string {
  const round = [...circle, circle[0] ?? ''];
  if (round.length <= 12) return round.join(' → ');
  return [...round.slice(0, 8), `… ${round.length - 11} more …`, ...round.slice(-3)].join(' → ');
}
