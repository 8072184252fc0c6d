import { describe, expect, it } from 'vitest';
import { parseJson } from '../../drift/readers/json-text.ts';
import type { StackAction, StackChange } from '../tool-work.ts';
import { doneOf } from './done.ts';

/** A change of a plan, with what the plan knows of both sides. */
interface Planned {
  readonly actions: readonly StackAction[];
  readonly before?: object;
  readonly after?: object;
  readonly unknown?: object;
  readonly previousAddress?: string;
  readonly deposed?: string;
}

const json = (value: unknown) => parseJson(Buffer.from(JSON.stringify(value)));
const address = 'aws_eip.one';

/** What became of one planned change, given the objects in the state afterwards, by address. */
function became(
  planned: Planned,
  state: Readonly<Record<string, { readonly values?: object; readonly tainted?: true; readonly deposed?: string }>>,
  reported: readonly StackAction[] = [],
) {
  const own = planned.deposed === undefined ? address : `${address} (deposed ${planned.deposed})`;
  const change: StackChange = {
    address: own,
    type: 'aws_eip',
    actions: planned.actions,
    paths: [],
    ...(planned.previousAddress === undefined ? {} : { previousAddress: planned.previousAddress }),
  };
  const plan = {
    resource_changes: [
      {
        address,
        ...(planned.deposed === undefined ? {} : { deposed: planned.deposed }),
        change: { before: planned.before ?? null, after: planned.after ?? null, after_unknown: planned.unknown ?? {} },
      },
    ],
  };
  const resources = Object.entries(state).map(([name, { values = {}, tainted, deposed }]) => ({
    ...{ address: name.replace(/ .*/, ''), mode: 'managed', type: 'aws_eip', values },
    ...(tainted === undefined ? {} : { tainted }),
    ...(deposed === undefined ? {} : { deposed_key: deposed }),
  }));
  const finished = new Map(reported.length === 0 ? [] : [[address, reported] as const]);
  const { done, unrecorded } = doneOf([change], json(plan), json({ values: { root_module: { resources } } }), finished);
  return { done: done.length === 1, unrecorded: unrecorded.length === 1 };
}

const old = { values: { id: 'a', size: 1 } };
const renewed = { values: { id: 'b', size: 2 } };

describe('a change of an apply that broke off is done', () => {
  it.each<readonly [string, boolean, Parameters<typeof became>]>([
    ['created and there', true, [{ actions: ['create'], after: {} }, { [address]: old }]],
    ['created and tainted', false, [{ actions: ['create'], after: {} }, { [address]: { ...old, tainted: true } }]],
    ['created and not there', false, [{ actions: ['create'], after: {} }, {}]],
    ['deleted and gone', true, [{ actions: ['delete'], before: old.values }, {}]],
    ['deleted and still there', false, [{ actions: ['delete'], before: old.values }, { [address]: old }]],
    ['forgotten and gone', true, [{ actions: ['forget'], before: old.values }, {}]],
    ['taken over and there', true, [{ actions: ['import'], before: old.values, after: old.values }, { [address]: old }]],
    ['moved', true, [{ actions: ['none'], previousAddress: 'aws_eip.was' }, { [address]: old }]],
    ['not moved yet', false, [{ actions: ['none'], previousAddress: 'aws_eip.was' }, { 'aws_eip.was': old }]],
    [
      'updated, as the state says',
      true,
      [{ actions: ['update'], before: old.values, after: { id: 'a', size: 2 } }, { [address]: { values: { id: 'a', size: 2 } } }],
    ],
    ['updated, as before', false, [{ actions: ['update'], before: old.values, after: { id: 'a', size: 2 } }, { [address]: old }]],
    [
      'updated to what nobody knew',
      true,
      [{ actions: ['update'], before: old.values, after: { id: 'a' }, unknown: { size: true } }, { [address]: { values: { id: 'a', size: 7 } } }],
    ],
    ['updated in part', false, [{ actions: ['update'], before: { a: 1, b: 1 }, after: { a: 2, b: 2 } }, { [address]: { values: { a: 2, b: 1 } } }]],
    [
      'updated, as the tool says, where the state has it otherwise',
      true,
      [{ actions: ['update'], before: old.values, after: { size: 2 } }, { [address]: { values: { size: 3 } } }, ['update']],
    ],
    ['replaced', true, [{ actions: ['delete', 'create'], before: old.values, after: { size: 2 }, unknown: { id: true } }, { [address]: renewed }]],
    [
      'replaced, and the old one is there',
      false,
      [{ actions: ['delete', 'create'], before: old.values, after: { size: 2 }, unknown: { id: true } }, { [address]: old }],
    ],
    ['replaced, and neither is there', false, [{ actions: ['delete', 'create'], before: old.values, after: { size: 2 } }, {}]],
    [
      'replaced by a new one first, and the old one left behind',
      false,
      [
        { actions: ['create', 'delete'], before: old.values, after: { size: 2 }, unknown: { id: true } },
        { [address]: renewed, [`${address} left`]: { ...old, deposed: '7838e396' } },
        ['create'],
      ],
    ],
    ['of what was left behind, and gone', true, [{ actions: ['delete'], before: old.values, deposed: '7838e396' }, { [address]: renewed }]],
    [
      'of what was left behind, and there',
      false,
      [
        { actions: ['delete'], before: old.values, deposed: '7838e396' },
        { [address]: renewed, [`${address} left`]: { ...old, deposed: '7838e396' } },
      ],
    ],
  ])('when it is %s: %s', (_, done, given) => {
    expect(became(...given).done).toBe(done);
  });

  it('or reported and in no state: then it may be there, and is named', () => {
    expect(became({ actions: ['create'], after: {} }, {}, ['create'])).toEqual({ done: false, unrecorded: true });
    expect(became({ actions: ['create'], after: {} }, {}, [])).toEqual({ done: false, unrecorded: false });
    expect(became({ actions: ['delete', 'create'], before: old.values, after: {} }, {}, ['delete'])).toEqual({ done: false, unrecorded: false });
  });

  it('and reads and outputs are neither done nor not', () => {
    const changes: StackChange[] = [
      { address: 'data.aws_ami.a', type: 'aws_ami', actions: ['read'], paths: [] },
      { address: 'output.url', type: 'output', actions: ['create'], paths: [] },
    ];
    expect(doneOf(changes, json({ resource_changes: [] }), undefined, new Map())).toEqual({ done: [], notDone: [], unrecorded: [] });
  });
});
