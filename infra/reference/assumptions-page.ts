import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFrom, page, table } from './markdown.ts';

const root = join(import.meta.dirname, '..', '..');

/** One thing that the fake cloud takes for true of a provider (R1.9). */
export interface Assumption {
  /** A letter for the provider, and a number. */
  readonly id: string;
  readonly text: string;
  /** Whether the provider's published description says so. */
  readonly verified: 'yes' | 'no' | 'in part';
}

/** The assumptions of one fake. */
export interface Assumed {
  /** Its file, from the root. */
  readonly file: string;
  /** What it stands for, and what its assumptions were held against. */
  readonly about: string;
  readonly assumptions: readonly Assumption[];
}

/** Reads what stands at the head of each fake's routes. @throws Error for an assumption that does not say whether it is verified. */
export const assumed = (): readonly Assumed[] =>
  globSync('test/sim/*/routes.ts', { cwd: root })
    .sort()
    .map((file) => assumptionsIn(file, readFileSync(join(root, file), 'utf8')));

/** @param source begins with a comment: what the fake is, then `- <id> <text>` for each assumption. */
export function assumptionsIn(file: string, source: string): Assumed {
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(source) ?? [];
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*\s?/, '').trim());
  const [about = '', ...entries] = lines.join(' ').split(/\s- (?=[A-Z]\d+\s)/);
  return { file, about: about.trim().replace(/:$/, '.'), assumptions: entries.map((entry) => assumptionOf(file, entry.trim())) };
}

function assumptionOf(file: string, entry: string): Assumption {
  const [, id = '', text = ''] = /^([A-Z]\d+)\s+([\s\S]*)$/.exec(entry) ?? [];
  return { id, text, verified: verdict(file, id, text) };
}

/** `Verified`, `shape verified`, `is verified` stand for yes; `not verified`, and a `not` after what is verified, for no. */
function verdict(file: string, id: string, text: string): Assumption['verified'] {
  const no = /\bnot verified\b|\bverified\b[^.]*\bnot\b|\bthe rest is not\b|\b(?:status|codes?) \(?\d*\)? ?(?:is )?not\b/i.test(text);
  const yes = /(?<!\bnot )\bverified\b/i.test(text);
  if (!yes && !no) throw new Error(`${file}: ${id} does not say whether it is verified`);
  return yes && no ? 'in part' : yes ? 'yes' : 'no';
}

/** `docs/assumptions.md`: every assumption, and what it rests on. */
export function assumptionsPage(): string {
  const all = assumed();
  const counted = (verified: Assumption['verified']) => all.flatMap(({ assumptions }) => assumptions).filter((one) => one.verified === verified).length;
  return page(
    generatedFrom('the heads of `test/sim/*/routes.ts`'),
    '# What the fake cloud assumes',
    `Tests talk to fakes, which share no code with the adapters (R1.8). What each fake takes for true of its provider is numbered, and marked as verified against what the provider publishes, or not: ${counted('yes')} are, ${counted('in part')} in part, ${counted('no')} are not. None was tried against a real account.`,
    ...all.map(
      ({ file, about, assumptions }) =>
        `## \`${file}\`\n\n${about}\n\n${table(
          ['', 'Assumed', 'Verified'],
          assumptions.map(({ id, text, verified }) => [id, text, verified]),
        )}`,
    ),
  );
}
