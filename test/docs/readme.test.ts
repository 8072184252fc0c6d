import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../shared/adapters/registry.ts';
import { activateLines } from '../../shared/plan/activate.ts';
import { readPlan } from '../../shared/plan/read.ts';
import { chapters } from '../e2e/story/chapters.ts';
import { prices } from '../e2e/story/prices.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();
const text = (page: string): string => readFileSync(join(root, page), 'utf8');

const plans = pages.flatMap((page) => [...text(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, plan = ''], at) => ({ page, at: at + 1, plan })));

/** Targets of links and pictures that lie in this repository, without the part after `#`. */
function targetsIn(page: string): string[] {
  const prose = text(page).replace(/^```[\s\S]*?^```$/gm, '');
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g)];
  return found.map(([, target = '']) => target.split('#')[0] ?? '').filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

describe('a plan in the documentation', () => {
  it('stands in the README and in the reference', () => {
    expect(plans.map(({ page }) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/plan-format.md']));
  });

  it.each(plans)('$page, plan $at: has no mistake, in any environment it knows', ({ plan: source }) => {
    const { plan, problems, warnings } = readPlan(source, 'release.plan.yaml', registry);
    expect([...problems, ...warnings]).toEqual([]);
    for (const environment of plan?.environments ?? []) {
      const context = { environment, scope: 'pr-1', branch: 'feature', sha: 'a'.repeat(40), pullRequest: 1 };
      expect(plan && activateLines(plan, context, registry).length).toBeGreaterThan(0);
    }
  });
});

describe('the documentation', () => {
  it.each(pages)('%s: links to what is there', (page) => {
    const missing = targetsIn(page).filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it('numbers the decisions one by one, and lists each under its title', () => {
    const names = globSync('docs/adr/[0-9]*.md', { cwd: root }).sort();
    const listed = [...text('docs/adr/README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| ([^|]+?) \|$/gm)].map(([, number, file, title]) => ({
      number,
      file,
      title,
    }));
    const there = names.map((name, at) => {
      const title = /^# (.+)$/m.exec(text(name))?.[1];
      return { number: String(at + 1).padStart(4, '0'), file: name.replace('docs/adr/', ''), title };
    });
    expect(listed).toEqual(there);
    expect(there.filter(({ number, file }) => !file.startsWith(`${number}-`))).toEqual([]);
  });

  it.each(['flow', 'gate'])('draws the %s alike for light and dark pages', (name) => {
    const [light, dark] = ['light', 'dark'].map((page) => text(`docs/pictures/${name}-${page}.svg`));
    const shape = (picture = ''): string => picture.replace(/#[0-9a-f]{6}\b/g, '#colour');
    expect(shape(dark)).toBe(shape(light));
    expect(dark).not.toBe(light);
  });

  it('tells what lies in every folder of sources', () => {
    const named = [...text('README.md').matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name).sort();
    const { include } = JSON.parse(text('tsconfig.json')) as { include: string[] };
    expect(named).toEqual([...include, 'docs'].sort());
  });
});

describe('what the README shows of the story', () => {
  const readme = text('README.md');

  it('is chapters that there are, under their numbers and titles', () => {
    const shown = [...readme.matchAll(/^(\d+)\/(\d+) {2}(.+)$/gm)].map(([, at, of, title]) => [Number(at), Number(of), title]);
    expect(shown).toHaveLength(4);
    expect(shown).toEqual(shown.map(([at]) => [at, chapters.length, chapters[Number(at) - 1]?.title]));
    expect(readme).toContain('Four of its thirteen chapters');
  });

  it('is a table with a row for each', () => {
    expect([...readme.matchAll(/^✓ (\w+) +[a-z–-]+(?:, [a-z-]+)* +\d/gm)].map(([, name]) => name)).toEqual(chapters.map(({ name }) => name));
  });
});

describe('what the README says of costs', () => {
  const readme = text('README.md');
  const price = (dollars: number): string => `$${(dollars * 1e6).toFixed(3).replace(/(\.\d\d)0$/, '$1')}`;
  const sum = /\| (\d+) × (\S+) \+ (\d+) × (\S+) \+ (\d+) × (\S+) \+ \$(\S+) = \$(\S+) \|/g;

  it('adds up, with the prices the story is reckoned with', () => {
    const sums = [...readme.matchAll(sum)].map(([, ...parts]) => parts);
    expect(sums).toHaveLength(3);
    for (const [writes, write, reads, read, requests, request, worker, together] of sums) {
      expect([write, read, request]).toEqual([prices.tableWrite, prices.tableRead, prices.queue].map(price));
      const dollars = 1e6 * (Number(writes) * prices.tableWrite + Number(reads) * prices.tableRead + Number(requests) * prices.queue) + Number(worker);
      expect(Math.abs(dollars - Number(together))).toBeLessThan(0.006);
    }
  });

  it('names the month and the region of the prices', () => {
    const month = new Date(`${prices.asOf}-15`).toLocaleString('en', { month: 'long', year: 'numeric' });
    expect(readme).toContain(`List prices of ${prices.region}, ${month}`);
  });
});
