import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * Numbers of the rules, as `R<document>.<number>`, that none of the texts names, in the order of the rules.
 *
 * @param rules Markdown tables whose first column is the number.
 */
export function uncited(rules: string, texts: Iterable<string>): string[] {
  const cited = new Set<string>();
  for (const text of texts) for (const [number] of text.matchAll(/\bR\d+\.\d+\b/g)) cited.add(number);
  return [...rules.matchAll(/^\| (\d+\.\d+) \|/gm)].map(([, number]) => `R${number}`).filter((number) => !cited.has(number));
}

/** What may cite a rule: tests beside the code, everything under test/, scenarios, and the decisions. */
const citing = ['{functions,infra,shared,events}/**/*.test.ts', 'test/**/*.ts', 'test/scenarios/**/*.yaml', 'docs/adr/*.md'];

if (import.meta.main) {
  const texts = globSync(citing, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  for (const number of uncited(readFileSync(join(root, 'docs/rules.md'), 'utf8'), texts)) console.log(number);
}
