import { spellingsOf } from './spellings.ts';

/** Looks for values in what lies in sinks. What was looked through once is not looked through again, unless a value was learnt since. */
export interface Search {
  /** From now on this is looked for, under a name that may be told. */
  learn(name: string, value: string): void;
  /** Which values stand in these texts, each as `<name> is in the <sink>`. */
  look(sink: string, texts: readonly string[]): string[];
}

/** Bytes that were looked through, by sink. */
export type Tally = Map<string, number>;

export function openSearch(tally: Tally = new Map()): Search {
  const wanted = new Map<string, string>();
  let clean = new Set<string>();
  return {
    learn(name, value) {
      const before = wanted.size;
      for (const spelling of spellingsOf(value)) if (!wanted.has(spelling)) wanted.set(spelling, name);
      if (wanted.size > before) clean = new Set();
    },
    look(sink, texts) {
      const fresh = texts.filter((text) => !clean.has(text));
      for (const text of fresh) tally.set(sink, (tally.get(sink) ?? 0) + Buffer.byteLength(text));
      const joined = fresh.join('\n');
      const found = new Set([...wanted].flatMap(([spelling, name]) => (joined.includes(spelling) ? [name] : [])));
      if (found.size === 0) for (const text of fresh) clean.add(text);
      return [...found].map((name) => `${name} is in the ${sink}`);
    },
  };
}

/** The tally as lines for whoever reads the output of a test. */
export const tallyText = (tally: Tally): string =>
  [...tally]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([sink, bytes]) => `  ${sink}: ${bytes.toLocaleString('en-US')} bytes`)
    .join('\n');
