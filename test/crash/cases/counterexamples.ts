/** Every counterexample that the models of the protocol found, by its model and the number or the words that it has there. */
export interface Counterexample {
  /** As a case or a mutant names it in its `source`. */
  readonly id: string;
  /** Why nothing of the simulator plays it; the test that shows it instead, where one does. */
  readonly elsewhere?: { readonly why: string; readonly test?: { readonly file: string; readonly title: string } };
}

const of = (model: string, ids: readonly string[]): Counterexample[] => ids.map((id) => ({ id: `${model} ${id}` }));

/** The small models, one rule each. */
const small: readonly Counterexample[] = [
  ...of('m1-lease', ['1a', '1b', '1c', '1d', '1e', '1f', '1g', '1i', '1j', '1l']),
  ...of('m1b-zombie', ['1b-1', '1b-2', '1b-4']),
  ...of('m2-claims', ['2-a', '2-b', '2-c2', '2-c3', '2-d', '2-e', '2-f', '2-g']),
  ...of('m3-phase', ['3-A', '3-a', '3-b', '3-c', '3-d', '3-e', '3-g', '3-h', '3-k', '3-m', '3-n', '3-o']),
  ...of('m4-approval', ['4-a', '4-b', '4-c', '4-d', '4-d2', '4-e', '4-f', '4-g']),
  ...of('m5-intake', [
    '5-event open, sync, close',
    '5-event open, close, reopen',
    '5-event open, close, reopen, close',
    '5-event open c1, force-push to unrelated d1',
    '5-event open c2, reset to its parent c1',
    '5-nosweep',
  ]),
  ...of('m6-wakeup', ['6-a', '6-b', '6-e']),
  ...of('m7-small', ['7a-1', '7b-1', '7b-2', '7b-3', '7b-4', '7b-5', '7b-6', '7c-1', '7c-2', '7c-4']),
  ...of('m7-small', ['7d own clock', '7d sibling', '7e by entry', '7e claim first']),
];

const elsewhere: readonly Counterexample[] = [
  {
    id: 'm7-small 7d short time to live',
    elsewhere: {
      why: 'a time to live that is shorter than clocks and time-outs leave room for is refused before anybody has a lease',
      test: { file: 'shared/run/lease-ttl.test.ts', title: 'a time that is too short for this stack stops the run, whatever another stack could do with it' },
    },
  },
];

/** The rules together: the text of the protocol as it stood (T), and one rule of it turned to its wrong side (M). */
const combined: readonly Counterexample[] = [
  ...of('combined exec', ['ET 1', 'ET 2', 'ET 2b', 'ET 2c', 'ET 3', 'ET 4', 'ET 5', 'ET 6', 'ET 7']),
  ...of('combined exec EM', ['seal off', 'seal skipped after a crash', 'insert ignores the deadline', 'until ignored', 'result not on attempt']),
  ...of('combined exec EM', ['control step unclaimed', 'tail not repeated', 'phase swap before the items', 'duplicate acknowledged under a live claim']),
  ...of('combined gated', ['GT 1', 'GT 2', 'GT 3', 'GT 3b', 'GT 4', 'GT 4b', 'GT 5', 'GT 6', 'GT 7', 'GT 7b', 'GT 8', 'GT 9', 'GT 10']),
  ...of('combined gated GM', ['decisions looked at before the token is stored', 'decision keyed by run only', 'decision keyed by digest and person only']),
  ...of('combined gated GM', ['stale entry under a fresh id', 'stale entry not looked at', 'effects equal instead of among', 'ledger read last']),
  ...of('combined gated GM', ['guard does not compare the state digest', 'stale wins over a failed line']),
  ...of('combined scopes', ['ST 1', 'ST 2', 'ST 2b', 'ST 3']),
  ...of('combined scopes SM', ['ledger read before lease when stealing', 're-claim without a fresh writeId', 'claim removed before the entry']),
  ...of('combined scopes SM', ['claim removed by owner instead of writeId', 'until ignored', 'seal off']),
  ...of('combined handover', ['HT', 'HM an entry without its claim is destroyed', 'HM claim swapped before the copy']),
];

export const counterexamples: readonly Counterexample[] = [...small, ...elsewhere, ...combined];
