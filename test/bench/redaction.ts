import { createHash } from 'node:crypto';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { median } from './median.ts';
import { atMost, type Row } from './row.ts';

const MiB = 1024 * 1024;
const secrets = 200;

/** What a text is made of: nothing to undo, lines to join, and every way of escaping at once. */
const texts = {
  'of words': 'the quick brown fox jumps over the lazy dog 1234, and runs home ',
  'of lines': 'step 12: the branch was looked at and nothing is to be done\n',
  'full of escapes': 'a &amp; b \\u0061 %41, and the rest of a sentence that says something more\n',
} as const;

/** Masking a text of 1 MiB with 200 secrets, against four times that of a quarter: what grows faster than the text is nothing to mask with. */
export function redaction(): Row[] {
  const redactor = createRedactor();
  for (let index = 0; index < secrets; index++) redactor.register(createHash('sha256').update(String(index)).digest('base64'));
  return Object.entries(texts).map(([name, unit]) => {
    const [small, large] = [unit.repeat(MiB / 4 / unit.length), unit.repeat(MiB / unit.length)];
    const took = (text: string) => median(Array.from({ length: 5 }, () => timed(() => redactor.mask(text))));
    took(small);
    const [quarter, whole] = [took(small), took(large)];
    const details = [`${secrets} secrets; 256 KiB took ${quarter.toFixed(1)} ms, 1 MiB ${whole.toFixed(1)} ms`];
    return atMost(`masking 1 MiB ${name}, against 4 × 256 KiB`, 2.5, { value: whole / (4 * quarter), digits: 1, unit: ' ×', details });
  });
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
