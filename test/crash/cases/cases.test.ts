import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { further } from '../../mutants/protocol/further.ts';
import { protocolMutants } from '../../mutants/protocol/protocol.ts';
import { cases } from './cases.ts';
import { counterexamples } from './counterexamples.ts';

/** The names of the models, and those of what else a source may name, longest first. */
const models = [...new Set(counterexamples.map(({ id }) => modelOf(id))), 'findings', 'protocol'].sort((one, other) => other.length - one.length);

function modelOf(id: string): string {
  const [first = '', second = ''] = id.split(' ');
  return first === 'combined' ? `${first} ${second}` : first;
}

/** What a source names, one each: `m1-lease 1a, 1b` names two of one model, and what follows `findings` or `protocol` is none of theirs. */
function named(source: string): string[] {
  const starts = models
    .flatMap((model) => [...source.matchAll(new RegExp(`(?<=^|, )${model} `, 'g'))].map(({ index }) => ({ index, model })))
    .sort((one, other) => one.index - other.index);
  return starts.flatMap(({ index, model }, at) => {
    const text = source.slice(index + model.length + 1, starts[at + 1]?.index).replace(/, $/, '');
    const whole = `${model} ${text}`;
    return counterexamples.some(({ id }) => id === whole) ? [whole] : text.split(', ').map((one) => `${model} ${one}`);
  });
}

const sources = [
  ...cases.map(({ name, source }) => ({ name, source })),
  ...[...protocolMutants, ...further].map(({ name, source = '' }) => ({ name, source })),
];
const played = new Set(sources.flatMap(({ source }) => named(source)));

/** What a case may name beside them: checks of the models that hold, played all the same. */
const holding = ['m1-lease 1k', 'm3-phase 3-i', 'm3-phase 3-l', 'm3-phase 3-p', 'm6-wakeup 6-c', 'm6-wakeup 6-d', 'm6-wakeup 6-f'];

test('each counterexample of the models stands once in the list', () => {
  expect(new Set(counterexamples.map(({ id }) => id)).size).toBe(counterexamples.length);
});

test('each of them is played by a case or made true by a mutant, but for those that say why not', () => {
  const missing = counterexamples.filter(({ id, elsewhere }) => !elsewhere && !played.has(id)).map(({ id }) => id);
  expect(missing).toEqual([]);
  const both = counterexamples.filter(({ id, elsewhere }) => elsewhere && played.has(id)).map(({ id }) => id);
  expect(both).toEqual([]);
});

test('no case and no mutant names one that there is not', () => {
  const known = new Set([...counterexamples.map(({ id }) => id), ...holding]);
  const unknown = [...played].filter((id) => !/^(findings|protocol) /.test(id) && !known.has(id));
  expect(unknown).toEqual([]);
});

test('each case breaks under a mutant that names it', () => {
  const shown = new Set([...protocolMutants, ...further].flatMap(({ caught }) => ('case' in caught ? [caught.case] : [])));
  expect(cases.filter(({ name }) => !shown.has(name)).map(({ name }) => name)).toEqual([]);
});

test('what is shown elsewhere is shown by a test that is there', () => {
  for (const { id, elsewhere } of counterexamples) {
    if (!elsewhere?.test) continue;
    const { file, title } = elsewhere.test;
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'), id).toContain(title);
  }
});
