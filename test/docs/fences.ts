/** The fenced examples of the documentation, as its tests find them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
/** Every page a reader of the product opens: decisions are records, and show no examples. */
export const pages: readonly string[] = globSync(['*.md', 'docs/*.md'], { cwd: root }).sort();
export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

export interface Fence {
  readonly page: string;
  /** The line of the page on which it begins, from 1. */
  readonly at: number;
  /** What stands after the backticks: a language, and how the example is judged. */
  readonly info: string;
  readonly body: string;
  /** The session it is a part of, as the comment right above it says. */
  readonly session?: string;
}

const fence = /^(?: *<!-- session: (\S+) -->\n)?( *)```(.*)\n([\s\S]*?)^\2```$/gm;

export function fencesOf(page: string): Fence[] {
  const text = textOf(page);
  return [...text.matchAll(fence)].map(({ 1: session, 2: indent = '', 3: info = '', 4: body = '', index }) => ({
    page,
    at: text.slice(0, index).split('\n').length,
    info,
    body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    ...(session === undefined ? {} : { session }),
  }));
}

export const fences: readonly Fence[] = pages.flatMap(fencesOf);

/** What a command line of an example says after the program's name. Quoted words are one. */
export const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, whole, word]) => whole ?? word ?? '');
