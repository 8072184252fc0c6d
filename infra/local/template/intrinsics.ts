import { unsupported } from './unsupported.ts';

/** What intrinsic functions look things up in. */
export interface Lookup {
  /** The value of a parameter, pseudo parameter or resource; `noValue` for AWS::NoValue. */
  ref(name: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, first: string, second: string): unknown;
  /** What a text that was put together means here. */
  located(text: string): string;
}

/** Stands for AWS::NoValue: a property or list member that resolves to it is left out. */
export const noValue = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, lookup: Lookup) => unknown;

/** One entry per intrinsic function of CloudFormation that a template here may use. */
const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, lookup) => lookup.ref(String(name)),
  'Fn::GetAtt': (argument, lookup) => {
    const [id, ...rest] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return lookup.attribute(id ?? '', rest.join('.'));
  },
  'Fn::Join': (argument, lookup) => {
    const [separator, members] = pair(argument);
    return lookup.located(list(resolve(members, lookup)).join(String(separator)));
  },
  'Fn::Sub': (argument, lookup) => substitute(argument, lookup),
  'Fn::Select': (argument, lookup) => {
    const [index, members] = pair(argument);
    return list(resolve(members, lookup))[Number(resolve(index, lookup))];
  },
  'Fn::Split': (argument, lookup) => {
    const [separator, text] = pair(argument);
    return String(resolve(text, lookup)).split(String(separator));
  },
  'Fn::If': (argument, lookup) => {
    const [condition, whenTrue, whenFalse] = list(argument);
    return resolve(lookup.condition(String(condition)) ? whenTrue : whenFalse, lookup);
  },
  'Fn::FindInMap': (argument, lookup) => {
    const [map, first, second] = list(argument).map((part) => String(resolve(part, lookup)));
    return lookup.mapping(map ?? '', first ?? '', second ?? '');
  },
  'Fn::Equals': (argument, lookup) => {
    const [left, right] = list(argument).map((side) => resolve(side, lookup));
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument, lookup) => list(argument).every((part) => resolve(part, lookup) === true),
  'Fn::Or': (argument, lookup) => list(argument).some((part) => resolve(part, lookup) === true),
  'Fn::Not': (argument, lookup) => resolve(list(argument)[0], lookup) !== true,
  Condition: (name, lookup) => lookup.condition(String(name)),
};

/**
 * Replaces every intrinsic function in a template value by what it stands for.
 *
 * @throws LockkeeperError TEMPLATE_UNSUPPORTED for an `Fn::` function that is not among those above.
 */
export function resolve(value: unknown, lookup: Lookup): unknown {
  if (Array.isArray(value)) return value.map((member) => resolve(member, lookup)).filter((member) => member !== noValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only) {
    const [name, argument] = only;
    const intrinsic = intrinsicNamed(name, argument);
    if (intrinsic) return intrinsic(argument, lookup);
  }
  return Object.fromEntries(entries.map(([key, member]) => [key, resolve(member, lookup)]).filter(([, member]) => member !== noValue));
}

/** A policy statement has a `Condition` block of its own: only a name in that place means a condition of the template. */
function intrinsicNamed(name: string, argument: unknown): Intrinsic | undefined {
  if (name === 'Condition' && typeof argument !== 'string') return undefined;
  const intrinsic = Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
  if (!intrinsic && name.startsWith('Fn::')) throw unsupported(name, 'the embedded stack does not know this function');
  return intrinsic;
}

function substitute(argument: unknown, lookup: Lookup): string {
  const [text, own] = Array.isArray(argument) ? argument : [argument, {}];
  const variables = new Map(Object.entries((own ?? {}) as Record<string, unknown>));
  const filled = String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (variables.has(name)) return String(resolve(variables.get(name), lookup));
    const [id, ...attribute] = name.split('.');
    return String(attribute.length > 0 ? lookup.attribute(id ?? '', attribute.join('.')) : lookup.ref(name));
  });
  return lookup.located(filled);
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const pair = (value: unknown): [unknown, unknown] => [list(value)[0], list(value)[1]];
