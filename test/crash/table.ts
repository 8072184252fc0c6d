/** What came of many that were told, as text. */
import { styleText } from 'node:util';
import { faults } from './enumerate.ts';
import { invariants, judgedThings } from './judged.ts';
import type { Verdict } from './replay.ts';
import { stories } from './stories/stories.ts';
import { kinds } from './tell-any.ts';

/** How many held, of how many. Where nothing befell nothing was tried. */
function heldOf(verdicts: readonly Verdict[]): string {
  const tried = verdicts.filter(({ befell, broken }) => befell || broken.length > 0);
  const held = tried.filter(({ broken }) => broken.length === 0).length;
  const text = `${held}/${tried.length}`.padStart(11);
  return held < tried.length && process.stdout.isTTY ? styleText('red', text) : text;
}

/** Stories down, faults across; what is beside them below. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const widest = Math.max(...stories.map(({ name }) => name.length));
  const told = stories.filter(({ name }) => verdicts.some(({ id }) => id.startsWith(`${name}/`)));
  const cell = (story: string, fault: string): string => heldOf(verdicts.filter(({ id }) => id.startsWith(`${story}/`) && id.endsWith(`/${fault}`)));
  const beside = Object.entries(kinds).flatMap(([kind, isOf]) => {
    const own = verdicts.filter(({ id }) => isOf(id));
    return own.length === 0 ? [] : [`${kind.padEnd(widest)} ${heldOf(own)}`];
  });
  return [
    `${'held / tried'.padEnd(widest)} ${faults.map((fault) => fault.padStart(11)).join(' ')}`,
    ...told.map(({ name }) => `${name.padEnd(widest)} ${faults.map((fault) => cell(name, fault)).join(' ')}`),
    ...beside,
    '',
  ].join('\n');
}

/** How often each invariant had something to judge, and how much: where it had nothing, silence says nothing. */
export function judgedText(verdicts: readonly Pick<Verdict, 'judged'>[]): string {
  const rows = invariants.map((invariant) => {
    const counts = verdicts.map(({ judged }) => judged[invariant]);
    const had = counts.filter((count) => count > 0).length;
    const all = counts.reduce((sum, count) => sum + count, 0);
    return `${invariant.padEnd(4)} ${String(had).padStart(7)} ${String(all).padStart(9)} ${judgedThings[invariant]}`;
  });
  return [`had something to judge, of ${verdicts.length}, and how much:`, ...rows].join('\n');
}
