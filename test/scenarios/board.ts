/** The dashboard issue as scenarios see it: its body, the rows behind it, and what became of ticks. */
import { type Row, stateOf } from '../../shared/dashboard/row.ts';
import type { Tick } from '../../shared/dashboard/tick.ts';
import type { Stage } from './stage.ts';

/** The newest issue that the App has opened. */
export function boardOf({ house }: Stage): { readonly number: number; readonly body: string } {
  const [repository] = house.sim.state().github.repositories;
  const issue = (repository?.issues ?? []).findLast(({ author, gone }) => author.endsWith('[bot]') && !gone);
  if (!issue) throw new Error('there is no dashboard issue');
  return { number: issue.number, body: issue.body.replaceAll('\r\n', '\n') };
}

/** State of every row, by environment; of a stack's own, by environment and line: `preview/net`. */
export const rowsOf = ({ house }: Stage): Record<string, string> =>
  Object.fromEntries(itemsOf<Row>(house, 'ROW#').map((row) => [nameOf(row), row.open?.rests === 'asking' ? `${stateOf(row)}, asking` : stateOf(row)]));

const nameOf = ({ environment, line }: Row): string => (line === undefined ? environment : `${environment}/${line}`);

/** Every tick as `box state`, in the order in which they were made. */
export const ticksOf = ({ house }: Stage): string[] =>
  itemsOf<Tick>(house, 'TICK#')
    .toSorted((a, b) => (a.at === b.at ? a.no - b.no : a.at < b.at ? -1 : 1))
    .map(({ box, state }) => `${box} ${state}`);

/** Boxes that stand ticked in the body. */
export const tickedOf = (stage: Stage): number => (boardOf(stage).body.match(/^- \[x\]/gm) ?? []).length;

/** What was written under the issue, all of it. */
export function toldOn(stage: Stage): string {
  const { number } = boardOf(stage);
  const [repository] = stage.house.sim.state().github.repositories;
  return (repository?.comments ?? []).flatMap(({ issue, body }) => (issue === number ? [body] : [])).join('\n');
}

const itemsOf = <T>(house: Stage['house'], prefix: string): T[] =>
  house.memory.items().filter(({ pk, sk }) => pk.startsWith('DASH#') && sk.startsWith(prefix)) as unknown as T[];
