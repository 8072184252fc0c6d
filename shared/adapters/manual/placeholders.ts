import { didYouMean } from '../../errors/nearest.ts';
import { quoted } from '../../errors/quoted.ts';
import { invalid } from '../param.ts';

/** As in the paths of APIs. */
const placeholder = /(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

/** Names of the placeholders in a text, each once. */
export const namesIn = (text: string): string[] => [...new Set([...text.matchAll(placeholder)].map((found) => found[1] as string))];

/** The text with every placeholder filled in; what is filled in is not looked at again. */
export const filled = (text: string, lookUp: (name: string) => string): string => text.replace(placeholder, (_whole, name: string) => lookUp(name));

/** @throws LockkeeperError PARAM_INVALID for a placeholder without a variable: a misspelled one would be shown to people as it stands. */
export function judgePlaceholders(param: string, text: string, vars: readonly string[]): void {
  const unknown = namesIn(text).find((name) => !vars.includes(name));
  if (unknown === undefined) return;
  const what = `\`${param}\` names ${quoted(`{${unknown}}`)}, which \`vars\` does not have${didYouMean(unknown, vars)}`;
  throw invalid(`${what}: add it there, or write it with spaces (\`{ ${unknown} }\`) where it is only text.`);
}
