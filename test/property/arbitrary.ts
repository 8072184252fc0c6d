/** Stories at random. Small ones come more often, so that there is time for a thousand. */
import fc from 'fast-check';
import type { LineShape, Move, Revision, SaidShape, Story } from './story.ts';

const pointer = fc.nat(99);
const weighted = <T>(...of: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> => fc.oneof(...of.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const always = <const T extends { say: string } | { edit: string } | { do: string }>(value: T) => fc.constant(value);

const said: fc.Arbitrary<SaidShape> = weighted<SaidShape>(
  [8, fc.record({ say: fc.constant('text'), n: pointer })],
  [
    6,
    fc.record({
      say: fc.constant('from'),
      at: pointer,
      output: weighted<'id' | 'value' | 'token' | 'url'>([6, fc.constant('id')], [3, fc.constant('value')], [3, fc.constant('token')], [1, fc.constant('url')]),
    }),
  ],
  [2, fc.record({ say: fc.constant('secret'), n: pointer })],
  [1, fc.record({ say: fc.constant('taken'), n: pointer, same: weighted([4, fc.constant(true)], [1, fc.constant(false)]) })],
  [1, fc.record({ say: fc.constant('keep'), n: pointer })],
);

const busy = weighted<number>([8, fc.constant(0)], [1, fc.constant(1)], [1, fc.constant(2)]);
const things = weighted([6, fc.array(said, { minLength: 1, maxLength: 1 })], [1, fc.array(said, { minLength: 2, maxLength: 3 })]);
const shapeNeeding = (needs: fc.Arbitrary<number[]>): fc.Arbitrary<LineShape> => fc.record({ things, needs, busy });
const loose = shapeNeeding(fc.array(pointer, { maxLength: 2 }));
const free = shapeNeeding(fc.constant([]));

/** Chains, fans, diamonds, and whatever else: told by what each line needs of those before it. */
const layouts: readonly ((at: number, count: number) => number[])[] = [
  (at) => [at - 1],
  () => [0],
  (at, count) => (at === count - 1 ? [0, 1, 2].filter((one) => one < at) : [0]),
  (at) => [Math.floor((at - 1) / 2)],
];
const laidOut = fc
  .tuple(fc.array(free, { minLength: 2, maxLength: 30, size: 'max' }), fc.constantFrom(...layouts))
  .map(([lines, layout]) => lines.map((line, at) => (at === 0 ? line : { ...line, needs: layout(at, lines.length) })));
const sized = (maxLength: number) => fc.array(loose, { minLength: 2, maxLength, size: 'max' });
const lines = weighted<LineShape[]>([5, sized(6)], [2, sized(12)], [1, sized(30)], [1, laidOut]);

const revision: fc.Arbitrary<Revision> = weighted<Revision>(
  [4, fc.record({ edit: fc.constant('value'), at: pointer, n: pointer })],
  [2, fc.record({ edit: fc.constant('drop'), at: pointer })],
  [2, fc.record({ edit: fc.constant('add'), shape: loose })],
  [2, fc.record({ edit: fc.constant('rename'), at: pointer })],
  [1, fc.record({ edit: fc.constant('grow'), at: pointer, n: pointer })],
  [1, fc.record({ edit: fc.constant('shrink'), at: pointer })],
);
const revisions = fc.array(revision, { maxLength: 3 });

const method = fc.constantFrom('POST' as const, 'PATCH' as const, 'DELETE' as const);
const fate = fc.constantFrom('before' as const, 'after' as const, 'lost' as const, 'unsent' as const, 'frozen' as const);
const picks = fc.array(pointer, { maxLength: 25 });

type Act = readonly Move[];
const one = (weight: number, move: fc.Arbitrary<Move>): [number, fc.Arbitrary<Act>] => [weight, move.map((each) => [each])];

const toFate = fc.record({ do: fc.constant('fate'), after: fc.nat(150), fate });
const silence = fc.record({
  do: fc.constant('silence'),
  method,
  effect: fc.constantFrom('done' as const, 'never' as const),
  times: fc.integer({ min: 1, max: 2 }),
});
const release = fc.record({ do: fc.constant('release'), revisions });
const quiet = always({ do: 'quiet' });
const refusal = fc.record({ do: fc.constant('refuse'), method, times: fc.integer({ min: 1, max: 4 }) });
const approve = always({ do: 'answer', verdict: 'approve' });

/** A function stands still right before it writes something down, another run takes the scope over, and it goes on. */
const frozenWrite: fc.Arbitrary<Move> = fc.record({
  do: fc.constant('fate'),
  after: fc.nat(60),
  fate: fc.constant('frozen' as const),
  of: fc.constant('table.write' as const),
});
const takenOver: fc.Arbitrary<Move> = fc.record({ do: fc.constant('takeover'), after: fc.nat(3), revisions: fc.constant([]) });

const happenings: [number, fc.Arbitrary<Act>][] = [
  one(4, toFate),
  one(1, always({ do: 'thaw' })),
  one(1, refusal),
  [3, fc.tuple(release, refusal, quiet)],
  one(3, silence),
  one(2, fc.record({ do: fc.constant('edit'), at: pointer, n: pointer })),
  one(2, fc.record({ do: fc.constant('remove'), at: pointer })),
  one(1, fc.record({ do: fc.constant('replace'), at: pointer, n: pointer })),
  one(1, fc.record({ do: fc.constant('move'), at: pointer })),
  one(1, fc.record({ do: fc.constant('pass'), seconds: fc.integer({ min: 1, max: 40 }) })),
  one(1, fc.record({ do: fc.constant('sweep'), minutes: fc.integer({ min: 1, max: 120 }) })),
  one(1, fc.record({ do: fc.constant('deployed'), state: weighted<'success' | 'failure'>([4, fc.constant('success')], [1, fc.constant('failure')]) })),
  one(5, fc.record({ do: fc.constant('deliver'), picks, twice: fc.boolean() })),
  one(3, quiet),
  one(6, fc.record({ do: fc.constant('takeover'), after: fc.nat(30), revisions: fc.array(revision, { maxLength: 2 }) })),
  one(4, release),
  one(2, always({ do: 'again' })),
  one(1, always({ do: 'plan' })),
  one(1, always({ do: 'reconcile' })),
];

const inPreview = weighted<Act>(
  ...happenings,
  one(1, always({ do: 'close' })),
  one(1, always({ do: 'reopen' })),
  one(1, fc.record({ do: fc.constant('other'), wants: fc.array(pointer, { maxLength: 3 }) })),
  one(1, always({ do: 'close other' })),
  [4, fc.tuple(toFate, always({ do: 'close' }), always({ do: 'reopen' }))],
  [2, fc.tuple(release, silence, quiet)],
  [3, fc.tuple(release, frozenWrite, takenOver, always({ do: 'thaw' }))],
);
const inProtected = weighted<Act>(
  ...happenings,
  one(4, approve),
  one(1, always({ do: 'answer', verdict: 'reject' })),
  [4, fc.tuple(approve, toFate)],
  [2, fc.tuple(approve, silence, quiet)],
  [3, fc.tuple(approve, frozenWrite, takenOver, always({ do: 'thaw' }))],
  [2, fc.tuple(always({ do: 'answer', verdict: 'reject' }), approve)],
);

const storyIn = (where: Story['where'], act: fc.Arbitrary<Act>, closedAtOnce: fc.Arbitrary<boolean>): fc.Arbitrary<Story> => {
  const acts = fc.array(act, { minLength: 2, maxLength: 10, size: 'max' });
  return fc.record({ where: fc.constant(where), strangers: fc.nat(3), lines, closedAtOnce, moves: acts.map((all) => all.flat()) });
};

export const previewStory = storyIn('preview', inPreview, weighted([2, fc.constant(false)], [1, fc.constant(true)]));
export const protectedStory = storyIn('protected', inProtected, fc.constant(false));
