import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const rows = [...page.matchAll(/^\| (?!\||---)(.+?) \|(?: (.*?))? ?\|$/gm)].map(([, claim = '', shown = '']) => ({ claim, shown }));
const impossible = rows.filter(({ claim }) => /^Cannot\b/.test(claim));
const cited = rows.flatMap(({ shown }) => [...shown.matchAll(/^`([^`]+\.test\.ts)` › (.+)$/g)].map(([, file = '', title = '']) => ({ file, title })));

describe('SECURITY.md', () => {
  it.each(cited)('$file has the test “$title”', ({ file, title }) => {
    expect(existsSync(join(root, file))).toBe(true);
    const source = readFileSync(join(root, file), 'utf8');
    const quoted = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``];
    expect(quoted.some((one) => source.includes(one))).toBe(true);
  });

  it('shows by a test whatever somebody cannot do', () => {
    expect(impossible.length).toBeGreaterThan(20);
    expect(impossible.filter(({ shown }) => shown === '').map(({ claim }) => claim)).toEqual([]);
    expect(cited.length).toBe(rows.filter(({ shown }) => shown.includes('.test.ts')).length);
  });

  it('says what is trusted, what a fork, a pull request, a provider and a stolen secret can do, and where to report', () => {
    const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading);
    const wanted = ['Reporting', 'What is trusted', 'From a fork', 'In a pull request, with write access', 'At a provider', 'With a stolen webhook secret'];
    expect(headings).toEqual(expect.arrayContaining(wanted));
    expect(page).toContain('Report a vulnerability');
  });
});
