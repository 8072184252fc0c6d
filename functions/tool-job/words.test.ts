import { describe, expect, it } from 'vitest';
import { openWords } from './words.ts';

const words = () => openWords({ mask: ['CANARY-masked'], variables: { key: 'CANARY-variable', plain: 'eu-central-1' }, secretVariables: ['key'] });

describe('the words of a tool', () => {
  it('are told without what was to be hidden from the start, or turned out to be secret later (I1)', () => {
    const said = words();
    said.say('CANARY-masked and CANARY-variable and CANARY-later in eu-central-1');
    said.hide({ deep: ['CANARY-later'] });
    expect(said.told()).toBe('[REDACTED] and [REDACTED] and [REDACTED] in eu-central-1');
    expect(said.mask('CANARY-later')).not.toContain('CANARY');
  });

  it('keep their beginning and their end, in order, however long they are', () => {
    const said = words();
    for (let count = 0; count < 100_000; count += 1) said.say(`line ${count}`);
    const told = said.told().split('\n');
    expect([told[0], told.at(-1)]).toEqual(['line 0', 'line 99999']);
    expect(told.join('\n').length).toBeLessThan(400 * 1024);
    const numbers = told.flatMap((line) => /^line (\d+)$/.exec(line)?.[1] ?? []).map(Number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(told.filter((line) => line.startsWith('…'))).toEqual([`… ${100_000 - numbers.length} more …`]);
  });

  it('take one line of any length', () => {
    const said = words();
    said.say('x'.repeat(50 * 1024 * 1024));
    said.say('the end');
    expect(said.told().endsWith('the end')).toBe(true);
    expect(said.told().length).toBeLessThan(400 * 1024);
  });
});
