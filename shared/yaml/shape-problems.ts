/** What zod finds wrong with a part of the file, as problems with a place and a remedy. One renderer for every file and for the ops' parameters. */
import type { z } from 'zod';
import type { Code } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import { didYouMean } from '../errors/nearest.ts';
import { isPlainMap, kindOf, listed, quoted } from '../errors/quoted.ts';
import type { Path, PositionOf } from './place.ts';
import { exampleAt, knownKeys } from './schema-at.ts';

/** A part of the file and the schema it is held to. */
export interface Judged {
  readonly code: Code;
  readonly schema: z.ZodType;
  readonly value: unknown;
  /** Where in the file the part stands. */
  readonly path: Path;
  readonly positionOf: PositionOf;
  /** Opens each message: `line \`db\`: `, or nothing. */
  readonly opening: string;
  /** Keys that are right here too, though the schema does not know them. */
  readonly furtherKeys?: readonly string[];
  /** Maps inside the part whose mistakes other rules have told; whoever passes this makes sure that they have. */
  readonly toldBefore?: (map: Readonly<Record<string, unknown>>) => boolean;
}

type Issue = z.core.$ZodIssue;

export function shapeProblems(judged: Judged): Problem[] {
  const result = judged.schema.safeParse(judged.value);
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOf(issue, [], judged));
}

function problemsOf(issue: Issue, outer: readonly PropertyKey[], judged: Judged): Problem[] {
  const path = [...outer, ...issue.path];
  const value = valueAt(judged.value, path);
  if (path.length > 0 && isPlainMap(value) && judged.toldBefore?.(value) === true) return [];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, judged));
  if (issue.code === 'invalid_union') {
    const meant = meantBranch(issue.errors);
    if (meant !== undefined) return meant.flatMap((inner) => problemsOf(inner, path, judged));
  }
  const subject = path.length === 0 ? 'this' : quoted(path.join('.'));
  const absent = value === undefined || value === null;
  const own = issue.code === 'invalid_key' ? issue.issues[0] : issue;
  if (!absent && own !== undefined && isOwnWording(own)) {
    return [problem(`${judged.opening}${subject}: ${own.message}`, path, issue.code === 'invalid_key' ? 'key' : 'value', judged)];
  }
  const message = absent ? `${subject} is missing: ${remedy(issue, path, value, judged.schema)}` : `${subject} ${remedy(issue, path, value, judged.schema)}`;
  return [problem(`${judged.opening}${message}`, path, 'value', judged)];
}

function unknownKey(key: string, path: readonly PropertyKey[], judged: Judged): Problem {
  const known = [...knownKeys(judged.schema, path), ...(path.length === 0 ? (judged.furtherKeys ?? []) : [])];
  const instead = known.length === 0 ? 'remove it, none is taken here' : `known are ${listed(known)}`;
  return problem(`${judged.opening}${quoted(key)} is not a key here${didYouMean(key, known)}: ${instead}`, [...path, key], 'key', judged);
}

function problem(message: string, path: readonly PropertyKey[], of: 'key' | 'value', { code, positionOf, path: base }: Judged): Problem {
  const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  return { code, message, at: positionOf([...base, ...steps], of) };
}

/** The branch of a union that the value was meant for: the first that agrees on the kind of value, and on its keys if one does. Undefined: none does. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const agreeing = branches.filter((issues) => !issues.some(isOtherKind));
  const ofItsKeys = agreeing.find((issues) => !issues.some((issue) => issue.code === 'unrecognized_keys'));
  if (ofItsKeys !== undefined) return ofItsKeys;
  const unknownKeys = agreeing.length > 1 ? agreeing[0]?.filter((issue) => issue.code === 'unrecognized_keys') : undefined;
  return unknownKeys !== undefined && unknownKeys.length > 0 ? unknownKeys : agreeing[0];
}

/** The branch takes another kind of value altogether. */
function isOtherKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && issue.errors.every((branch) => branch.some(isOtherKind)));
}

function kindsTaken(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_type') return [expected(issue.expected)];
  return issue.code === 'invalid_union' ? issue.errors.flat().filter(isOtherKind).flatMap(kindsTaken) : [];
}

/** The rest of the sentence after the value's name: what is wrong, and what to write. */
function remedy(issue: Issue, path: readonly PropertyKey[], value: unknown, schema: z.ZodType): string {
  const absent = value === undefined || value === null;
  const last = path.at(-1);
  if (typeof value === 'string' && typeof last === 'string' && issue.code === 'invalid_type' && issue.expected === 'array') {
    return `is a list: write \`${last}: [${value.length <= 40 ? value : '…'}]\``;
  }
  const not = absent ? '' : `, not ${kindOf(value)}`;
  const asIn = (opening: string): string => {
    const example = exampleAt(schema, path);
    return example === undefined ? '' : `${opening}${quoted(example)}`;
  };
  switch (issue.code) {
    case 'invalid_type':
      return absent ? `write ${expected(issue.expected)}${asIn(', as in ')}` : `takes ${expected(issue.expected)}${not}${asIn(': write it as in ')}`;
    case 'invalid_union': {
      const kinds = [...new Set(kindsTaken(issue))];
      const plain = kinds.length > 1 ? kinds.filter((kind) => kind !== 'a map') : kinds;
      const words = plain.length === 0 ? 'another value' : plain.join(' or ');
      return absent ? `write ${words}` : `takes ${words}${not}`;
    }
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const inQuotes = typeof value === 'string' && !issue.values.includes(value) && allowed.includes(value);
      const meant = inQuotes ? ' without the quotes' : typeof value === 'string' ? didYouMean(value, allowed) : '';
      return absent ? `write ${listed(allowed, 'or')}` : `takes ${listed(allowed, 'or')}${meant}`;
    }
    case 'invalid_format':
      return issue.format === 'regex' ? `does not have the form ${quoted(String(issue.pattern))}` : `is not a valid ${issue.format}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number' ? 'is empty: give it a value, or remove the key' : `is below the least, ${issue.minimum}`;
    case 'too_big':
      return `is above the most, ${issue.maximum}`;
    default:
      return 'does not have the shape that is taken here';
  }
}

/** An op says it in its own words where it gives zod a message for a format, a key or a refinement. */
const isOwnWording = (issue: { readonly code?: string; readonly message: string }): boolean =>
  issue.code === 'custom' || (issue.code === 'invalid_format' && !issue.message.startsWith('Invalid '));

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};
const expected = (type: string): string => words[type] ?? type;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}
