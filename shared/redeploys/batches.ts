/** One line of an apply, as far as redeploys go. */
export interface Writing {
  readonly id: string;
  readonly needs: readonly string[];
  /** What its writes are deployed with; absent for a line whose writes need no redeploy. */
  readonly group?: string;
  /** Lines with a group whose outputs, which a deployment gives, it needs. */
  readonly awaits: readonly string[];
}

/** One redeploy: after these lines, and after the batch of the same group before it. */
export interface Batch {
  readonly id: string;
  readonly lines: readonly string[];
  readonly after: readonly string[];
}

/** No line of a plan can be named so. */
const batchId = (number: number): string => `redeploy:${number}`;

/**
 * Which lines share one redeploy (P8): as many of a group as can be written before something needs what their deployment gives. A line that
 * itself needs it goes into a later batch. Found by going through the plan as a run would, and redeploying only when nothing else can go
 * on: so no line ever waits for a redeploy that waits for it, over any number of groups. The same plan always gives the same batches.
 */
export function batchesOf(lines: readonly Writing[]): readonly Batch[] {
  const written = new Set<string>();
  const deployed = new Set<string>();
  const batches: Batch[] = [];
  const lastOf = new Map<string, string>();
  const writers = lines.filter((line) => line.group !== undefined);
  const deploy = (group: string) => {
    const batch = writers.filter((line) => line.group === group && written.has(line.id) && !deployed.has(line.id)).map((line) => line.id);
    const before = lastOf.get(group);
    const id = batchId(batches.length + 1);
    batches.push({ id, lines: batch, after: before === undefined ? batch : [...batch, before] });
    lastOf.set(group, id);
    for (const line of batch) deployed.add(line);
  };
  for (;;) {
    writeAll(lines, written, deployed);
    const due = [...new Set(writers.filter((line) => written.has(line.id) && !deployed.has(line.id)).map((line) => line.group as string))];
    if (due.length === 0) return batches;
    for (const group of written.size === lines.length ? due : nextOf(due, lines, written, deployed)) deploy(group);
  }
}

/** Writes every line that can be written without another redeploy. */
function writeAll(lines: readonly Writing[], written: Set<string>, deployed: ReadonlySet<string>): void {
  for (let before = -1; before < written.size; ) {
    before = written.size;
    for (const line of lines) {
      if (line.needs.every((id) => written.has(id)) && line.awaits.every((id) => deployed.has(id))) written.add(line.id);
    }
  }
}

/**
 * The groups to redeploy when nothing else can go on: those that nobody writes any more; else those whose further writers cannot go on before;
 * else one that somebody waits for, whose writers then need two redeploys.
 */
function nextOf(due: readonly string[], lines: readonly Writing[], written: ReadonlySet<string>, deployed: ReadonlySet<string>): readonly string[] {
  const left = lines.filter((line) => !written.has(line.id));
  const byId = new Map(lines.map((line) => [line.id, line]));
  const awaited = new Set(left.flatMap((line) => line.awaits.filter((id) => written.has(id) && !deployed.has(id)).map((id) => byId.get(id)?.group)));
  const waitedFor = due.filter((group) => awaited.has(group));
  const whole = waitedFor.filter((group) => !left.some((line) => line.group === group));
  if (whole.length > 0) return whole;
  const inTheWay = waitedFor.filter((group) => left.filter((line) => line.group === group).every((line) => standsOn(line, group, byId)));
  if (inTheWay.length > 0) return inTheWay;
  return (waitedFor.length > 0 ? waitedFor : due).slice(0, 1);
}

/** Whether a line needs, over any number of lines, what a deployment of that group gives. */
function standsOn(line: Writing, group: string, byId: ReadonlyMap<string, Writing>, seen: Set<string> = new Set()): boolean {
  if (seen.has(line.id)) return false;
  seen.add(line.id);
  if (line.awaits.some((id) => byId.get(id)?.group === group)) return true;
  return line.needs.some((id) => {
    const needed = byId.get(id);
    return needed !== undefined && standsOn(needed, group, byId, seen);
  });
}
