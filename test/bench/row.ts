/** One thing that was measured, against its budget. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** `none`: it is told and not judged. */
  readonly budget: string;
  readonly ok: boolean;
  /** What the figure is made of, a sentence each. */
  readonly details: readonly string[];
}

interface Figure {
  readonly value: number;
  /** Digits behind the point, in print and in the judgement: 0 where a figure is a count. */
  readonly digits?: number;
  readonly unit?: string;
  readonly details?: readonly string[];
  /** False: what was measured did not end as it should, whatever the figure says. */
  readonly sound?: boolean;
}

const text = ({ value, digits = 0, unit = '' }: Figure): string => `${value.toFixed(digits)}${unit}`;
const rounded = ({ value, digits = 0 }: Figure): number => Number(value.toFixed(digits));

export const atMost = (what: string, limit: number, figure: Figure): Row => judged(what, `≤ ${limit}${figure.unit ?? ''}`, rounded(figure) <= limit, figure);

export const atLeast = (what: string, limit: number, figure: Figure): Row => judged(what, `≥ ${limit}${figure.unit ?? ''}`, rounded(figure) >= limit, figure);

/** A figure nobody set a budget for. */
export const told = (what: string, figure: Figure): Row => judged(what, 'none', true, figure);

function judged(what: string, budget: string, holds: boolean, figure: Figure): Row {
  return { what, measured: text(figure), budget, ok: holds && figure.sound !== false && Number.isFinite(figure.value), details: figure.details ?? [] };
}

/** Rows as a table, `what | measured | budget | ok`, each with its details below. */
export function tableOf(rows: readonly Row[]): string {
  const widest = (of: (row: Row) => string, head: string) => Math.max(head.length, ...rows.map((row) => of(row).length));
  const [what, measured, budget] = [widest((row) => row.what, 'what'), widest((row) => row.measured, 'measured'), widest((row) => row.budget, 'budget')];
  const line = (a: string, b: string, c: string, d: string) => `${a.padEnd(what)} | ${b.padStart(measured)} | ${c.padEnd(budget)} | ${d}`;
  const body = rows.flatMap((row) => [
    line(row.what, row.measured, row.budget, row.ok ? (row.budget === 'none' ? '' : 'ok') : 'MISSED').trimEnd(),
    ...row.details.map((detail) => `    ${detail}`),
  ]);
  return [line('what', 'measured', 'budget', 'ok'), '-'.repeat(what + measured + budget + 12), ...body, ''].join('\n');
}
