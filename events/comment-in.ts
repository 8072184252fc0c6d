import type { Said } from './said.ts';

/** What a comment asks for on its first line, beside answers and what is wanted of a run. Nothing else of its text is kept. */
const retry = /^[ \t]*\/lockkeeper[ \t]+retry[ \t]*(?:\r?\n|$)/;
const prune = /^[ \t]*\/lockkeeper[ \t]+prune(?:[ \t]+(\S{1,512}))?[ \t]*(?:\r?\n|$)/;
const aboutLine = /^[ \t]*\/lockkeeper[ \t]+(adopt|accept|reconcile|recreate|confirm)[ \t]+([^\r\n]+)/;

export const isRetry = (body: string): boolean => retry.test(body);

/** What of its orphans a scope is to lose: those of one line, all, or, with neither, none: then it shows them. */
export interface PruneIn {
  readonly line?: string;
  readonly all?: true;
}

export function pruneIn(body: string): PruneIn | undefined {
  const found = prune.exec(body);
  if (!found) return undefined;
  const [, word] = found;
  return word === undefined ? {} : word === '--all' ? { all: true } : { line: word };
}

/** `adopt <line>`, `reconcile <line>`, `recreate <line>`, `confirm <line>`, `accept <line> until <date> <reason>`. What is missing of the last the controller tells its author. */
export function saidIn(body: string): Said | undefined {
  const [, verb, rest] = aboutLine.exec(body) ?? [];
  const [line = '', ...words] = (rest ?? '').trim().split(/[ \t]+/);
  if (verb === undefined || line === '' || line.length > 512) return undefined;
  if (verb !== 'accept') return words.length === 0 ? { verb: verb as Said['verb'], line } : undefined;
  const [until, ...why] = words[0] === 'until' ? words.slice(1) : [undefined, ...words];
  const reason = why.join(' ').slice(0, 1000);
  return { verb, line, ...(until === undefined ? {} : { until: until.slice(0, 64) }), ...(reason === '' ? {} : { reason }) };
}
