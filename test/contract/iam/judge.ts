import type { AwsCall } from './call.ts';
import type { Grant } from './grant.ts';

export interface Verdict {
  readonly allowed: boolean;
  /** The grants that allow it. */
  readonly by: readonly Grant[];
}

/** What IAM answers: denied unless something allows it and nothing denies it. Nothing but the role's own policies speaks here. */
export function judge(grants: readonly Grant[], call: AwsCall): Verdict {
  const speaking = grants.filter(
    (grant) =>
      grant.entry === call.caller && like(grant.action.toLowerCase(), call.action.toLowerCase()) && like(grant.resource, call.resource) && holds(grant, call),
  );
  const by = speaking.filter(({ effect }) => effect === 'Allow');
  return { allowed: by.length > 0 && by.length === speaking.length, by };
}

/** The statement that a denied call lacks. */
export const missingStatement = ({ action, resource }: AwsCall): string => JSON.stringify({ Effect: 'Allow', Action: action, Resource: resource });

/** All operators and all keys must hold; one value of the policy is enough for each value of the request. */
const holds = ({ condition }: Grant, call: AwsCall): boolean =>
  Object.entries(condition).every(([operator, tests]) => Object.entries(tests).every(([key, patterns]) => passes(operator, patterns, call.keys[key])));

function passes(operator: string, patterns: readonly string[], values: readonly string[] | undefined): boolean {
  const [, quantifier, comparison] = /^(?:(ForAllValues|ForAnyValue):)?(StringLike|StringEquals|ArnLike|ArnEquals)$/.exec(operator) ?? [];
  if (comparison === undefined) throw new Error(`the IAM test does not know the condition operator ${operator}`);
  // A key that the request does not have: true for all of its values, false for any of them.
  if (values === undefined) return quantifier === 'ForAllValues';
  const matches = (value: string) => patterns.some((pattern) => (comparison === 'StringEquals' ? pattern === value : like(pattern, value)));
  return quantifier === 'ForAnyValue' ? values.some(matches) : values.every(matches);
}

/** `*` is any text, slashes too; `?` is one character. */
function like(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
