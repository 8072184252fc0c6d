import { urnParts } from '../../drift/urn.ts';
import type { Diagnostic, ToolFailure, ToolFailureCause } from '../tool-work.ts';
import { noSuchStack } from './commands.ts';
import type { Said } from './event.ts';

/**
 * What kind of complaint it is, by words that Pulumi's releases have in common. Of a complaint only this, its resource and a property's path
 * are told: a refusal of a saved plan prints values, even a former secret that nobody resolves any more.
 */
const kinds: readonly (readonly [kind: string, words: RegExp])[] = [
  ['violates-plan', /\bviolates plan\b/],
  ['expected-change-not-seen', /\bexpected resource operations for .+ but none were seen/s],
  ['wrong-passphrase', /\bincorrect passphrase\b/],
  ['no-passphrase', /\bpassphrase must be set with\b/],
  ['not-logged-in', /\b(?:PULUMI_ACCESS_TOKEN must be set|not logged in|invalid access token)\b/i],
  ['no-stack', /\bno stack named\b/],
  ['no-project', /\bno Pulumi\.yaml project file\b/],
  ['locked', /\bthe stack is currently locked by\b|\bAnother update is currently in progress\b/],
  ['pending-operations', /\bpending operations\b/i],
  ['protected', /\bcannot be deleted because it is protected\b|\bmarked for protection\b/],
  ['no-plugin', /\bno (?:resource|language|analyzer) plugin\b/],
  ['unknown-flag', /\bunknown (?:shorthand )?flag\b/],
];

/** The kind of a text of Pulumi's; `failed` for one that is not known. */
export const kindOf = (text: string): string => kinds.find(([, words]) => words.test(text))?.[0] ?? 'failed';

/** As many as a person reads. */
const most = 50;

/** What is shown of what Pulumi said, each once, errors first. */
export function diagnosticsOf(said: readonly Said[]): Diagnostic[] {
  const told = [...said.filter(({ severity }) => severity === 'error'), ...said.filter(({ severity }) => severity === 'warning')];
  const all = told.slice(0, most).map(({ severity, urn, message }): Diagnostic => {
    const address = addressIn(urn, message);
    const path = pathIn(message);
    const about = { ...(address === undefined ? {} : { address }), ...(path === undefined ? {} : { path }) };
    return { severity: severity === 'error' ? 'error' : 'warning', kind: kindOf(message), ...about };
  });
  const seen = new Set<string>();
  return all.filter((one) => {
    const id = JSON.stringify(one);
    return !seen.has(id) && seen.add(id) !== undefined;
  });
}

/** What is shown of standard error and of the exit, where no event says more. */
export function diagnosticOfExit(exit: number | null, stderr: string): Diagnostic {
  return { severity: 'error', kind: exit === noSuchStack ? 'no-stack' : kindOf(stderr) };
}

const addressIn = (urn: string | undefined, message: string): string | undefined => {
  const named = urn ?? /\bresource (urn:pulumi:\S+) violates plan\b/.exec(message)?.[1];
  return named !== undefined && urnParts(named) !== undefined && named.length <= 2048 && !/\p{Cc}/u.test(named) ? named : undefined;
};

/** The first property that a refused plan names. What follows it are values, among which nothing is looked for. */
const pathIn = (message: string): string | undefined => /\bviolates plan: properties changed: (?:~~|\+\+|--)([\w$./:-]{1,200})\[/.exec(message)?.[1];

/** The cause of a failure, by what was said: a lock, a plan that no longer fits, or what a failure at that place usually is. */
export function causeOf(diagnostics: readonly Diagnostic[], otherwise: ToolFailureCause): ToolFailureCause {
  const has = (kind: string): boolean => diagnostics.some((one) => one.severity === 'error' && one.kind === kind);
  if (has('locked')) return 'busy';
  return otherwise;
}

/** Who has the stack, and since when, out of the words of a backend of one's own; Pulumi Cloud says neither. */
export function lockIn(text: string): ToolFailure['lock'] {
  const [, id, who, since] = /([\w-]+)\.json: created by (\S{1,200}) \(pid \d+\) at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))/.exec(text) ?? [];
  if (who === undefined || since === undefined) return {};
  return { who, since: new Date(since).toISOString(), ...(id === undefined ? {} : { id }) };
}
