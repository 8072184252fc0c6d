import { describe, expect, it } from 'vitest';
import { batchesOf, type Writing } from './batches.ts';

/** `a: x` writes group x; `-> b` needs b; `=> b` needs what the deployment of b's group gives. */
function plan(...lines: string[]): Writing[] {
  return lines.map((text) => {
    const [head = '', ...rest] = text.split(/ (?=[-=]>)/);
    const [id = '', group] = head.split(': ');
    const of = (arrow: string) => rest.filter((part) => part.startsWith(arrow)).map((part) => part.slice(3));
    return { id, needs: [...of('->'), ...of('=>')], awaits: of('=>'), ...(group === undefined ? {} : { group }) };
  });
}
const shown = (lines: readonly Writing[]) => batchesOf(lines).map((batch) => batch.lines.join('+'));

describe('batches of redeploys (P8)', () => {
  it('take every writer of a group together, and keep groups apart', () => {
    expect(shown(plan('a: x', 'b: x -> c', 'c', 'd: y'))).toEqual(['a+b', 'd']);
  });

  it('put a writer that needs what its own group is deployed with into a later batch, over any number of lines', () => {
    expect(shown(plan('a: x', 'c => a', 'b: x -> c', 'd: x'))).toEqual(['a+d', 'b']);
    expect(batchesOf(plan('a: x', 'b: x => a'))[1]?.after).toEqual(['b', 'redeploy:1']);
  });

  it('wait for a writer that stands on another group’s deployment alone', () => {
    expect(shown(plan('a: x', 'b: y', 'c: x => b', 'd => a'))).toEqual(['b', 'a+c']);
  });

  it('never wait for each other in a circle', () => {
    const lines = plan('a1: a', 'b1: b', 'a2: a => b1', 'b2: b => a1');
    expect(shown(lines).join(' ').split(/[ +]/).sort()).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(hasCircle(lines)).toBe(false);
  });

  it('are the same for the same plan, and none for a plan without writers', () => {
    expect(batchesOf(plan('a', 'b -> a'))).toEqual([]);
  });
});

/** Goes through lines and batches as a run does. */
function hasCircle(lines: readonly Writing[]): boolean {
  const batches = batchesOf(lines);
  const batchOf = (line: string) => batches.find((batch) => batch.lines.includes(line))?.id ?? '';
  const left = new Map([
    ...lines.map((line): [string, string[]] => [line.id, [...line.needs, ...line.awaits.map(batchOf)]]),
    ...batches.map((batch): [string, string[]] => [batch.id, [...batch.after]]),
  ]);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [id, after] of left) if (after.every((one) => !left.has(one))) left.delete(id);
  }
  return left.size > 0;
}
