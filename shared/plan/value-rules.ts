/**
 * What every value of the file keeps to, wherever it stands: nothing empty, every `${…}` known, no secret written out,
 * no text pasted back from a plan's output, value forms exact (`form-rules.ts`).
 */

import { isPlainMap, quoted } from '../errors/quoted.ts';
import { brokenForm, isFormLike } from './form-rules.ts';
import { type BrokenRule, brokenPlaceholders, type Place } from './placeholder-rules.ts';
import type { PlanPath, Scalar } from './types.ts';

/** Names whose values are secrets. Case is spelled out letter by letter, since JSON Schema has no flag for ignoring it. */
export const secretNamePattern = new RegExp(
  `(${['_KEY', '_SECRET', '_TOKEN', 'PASSWORD', '_PASS', 'PASSWD', 'API_KEY', 'PRIVATE'].map(inAnyCase).join('|')})$`,
);
/** How a plan's output shows what it does not know or does not tell. */
export const displayTextPattern = /^\s*(\((pending|secret|sensitive|kept)( ←|\))|<(pending|secret|sensitive)[:>])/;

function inAnyCase(ending: string): string {
  return ending.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}

/** Every rule that a map's keys or values break, at any depth. `path` is where the map stands. */
export function brokenInMap(map: Readonly<Record<string, unknown>>, path: PlanPath, place: Place): readonly BrokenRule[] {
  return Object.entries(map).flatMap(([name, value]) => {
    const at = [...path, name];
    const broken = brokenInValue(value, at, place);
    if (!name.includes('${')) return broken;
    return [{ code: 'CTX_NULL', message: '`${…}` is filled in values, not in keys: write the key out', path: at, of: 'key' } as const, ...broken];
  });
}

function brokenInValue(value: unknown, path: PlanPath, place: Place): readonly BrokenRule[] {
  if (value === null || value === undefined) {
    return [{ code: 'PLAN_INVALID', message: `${named(path)} has no value: give it one, or remove it`, path, of: 'value' }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => brokenInValue(item, [...path, index], place));
  if (!isPlainMap(value)) return brokenInLiteral(value as Scalar, path, place);
  return isFormLike(value) ? brokenForm(value, path, place) : brokenInMap(value, path, place);
}

function brokenInLiteral(value: Scalar, path: PlanPath, place: Place): readonly BrokenRule[] {
  const broken = secretWrittenOut(value, path, place);
  if (typeof value !== 'string') return broken;
  const display = displayTextPattern.exec(value);
  const pasted = `text that starts with ${quoted(display?.[0].trim() ?? '')} is how a plan shows a value, not a value`;
  return [
    ...broken,
    ...(display === null
      ? []
      : [{ code: 'PLAN_INVALID', message: `${pasted}: write \`{ from: line.output }\` or \`{ secret: env://NAME }\``, path, of: 'value' } as const]),
    ...brokenPlaceholders(value, path, place === 'line' ? undefined : { outputs: 'in a provider block', variables: 'in a provider block' }),
  ];
}

/** The name that tells is the last key on the way to the literal: an item of a list has the name of its list. */
function secretWrittenOut(value: Scalar, path: PlanPath, place: Place): BrokenRule[] {
  const name = lastKey(path);
  if (typeof value === 'boolean' || !secretNamePattern.test(name)) return [];
  const instead = place === 'line' ? 'write `{ secret: env://NAME }` and keep the value there' : 'name the variable that holds it instead';
  return [{ code: 'SECRET_LITERAL', message: `${quoted(name)} looks like a secret, and its value is written out: ${instead}`, path, of: 'value' }];
}

const lastKey = (path: PlanPath): string => String(path.findLast((step) => typeof step === 'string') ?? '');

function named(path: PlanPath): string {
  const last = path.at(-1);
  return typeof last === 'number' ? `item ${last + 1} of ${quoted(lastKey(path))}` : quoted(lastKey(path));
}
