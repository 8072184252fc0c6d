import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circleText, orderLines } from './order.ts';

const orderOf = (needs: Record<string, readonly string[]>) => orderLines(new Map(Object.entries(needs)));

describe('the order of lines', () => {
  it('is that of the file where nothing is needed', () => {
    expect(orderOf({ c: [], a: [], b: [] })).toEqual({ ids: ['c', 'a', 'b'], circles: [] });
  });

  it('goes depth first, and by id among what one line needs', () => {
    expect(orderOf({ top: ['left', 'right'], right: ['base'], left: ['base'], base: [] }).ids).toEqual(['base', 'left', 'right', 'top']);
  });

  it('passes over needs that are not there', () => {
    expect(orderOf({ a: ['gone'] })).toEqual({ ids: ['a'], circles: [] });
  });

  it('puts each line after what it needs, whatever the graph without circles', () => {
    const graphs = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(graphs, (rows) => {
        const needs = new Map(rows.map((row, index) => [`l${index}`, row.filter((other) => other < index).map((other) => `l${other}`)]));
        const { ids, circles } = orderLines(new Map([...needs].reverse()));

        expect(circles).toEqual([]);
        expect(ids).toHaveLength(needs.size);
        for (const [id, needed] of needs) for (const other of needed) expect(ids.indexOf(other)).toBeLessThan(ids.indexOf(id));
      }),
    );
  });
});

describe('a circle of lines', () => {
  it('is found where a line needs itself', () => {
    expect(orderOf({ a: ['a'] }).circles).toEqual([['a']]);
  });

  it('is told once for each set of lines that turns in it', () => {
    expect(orderOf({ a: ['b'], b: ['c'], c: ['a', 'b'], x: ['y'], y: ['x', 'a'] }).circles).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]);
  });

  it('is found over ten thousand lines', () => {
    const needs = new Map(Array.from({ length: 10_000 }, (_, index) => [`l${index}`, [`l${(index + 1) % 10_000}`]]));

    expect(orderLines(needs).circles.map((circle) => circle.length)).toEqual([10_000]);
  });

  it('is printed as a path back to its start, a long one with its middle counted', () => {
    expect(circleText(['a', 'b'])).toBe('a → b → a');
    expect(circleText(Array.from({ length: 100 }, (_, index) => `l${index}`))).toBe('l0 → l1 → l2 → l3 → l4 → l5 → l6 → l7 → … 90 more … → l98 → l99 → l0');
  });
});
