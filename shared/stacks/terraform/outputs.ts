import { plain } from '../../drift/readers/disclose.ts';
import { isList, isMap, type Json } from '../../drift/readers/json.ts';
import { inside, isThere, membersIn, type Place, under, whole } from '../../drift/readers/place.ts';
import type { StackOutput } from '../tool-work.ts';
import { unknownIn } from './unknown.ts';

/** The root's outputs in `show -json` of a state. */
export const outputsOfState = (document: Json): Record<string, StackOutput> => outputsIn(inside(inside(whole(document), 'values'), 'outputs'));

/** Those that a plan knows before anything is applied; what is unknown, or partly so, is not among them. */
export function outputsOfPlan(document: Json): Record<string, StackOutput> {
  const root = whole(document);
  const changes = new Map(membersIn(under(root, 'output_changes')));
  const known = outputsIn(inside(inside(root, 'planned_values'), 'outputs'));
  return Object.fromEntries(
    Object.entries(known).filter(([name]) => {
      const change = changes.get(name);
      return change === undefined || unknownIn(under(change, 'after_unknown').value) === undefined;
    }),
  );
}

const outputsIn = (outputs: Place): Record<string, StackOutput> =>
  Object.fromEntries(
    membersIn(outputs).flatMap(([name, output]) => {
      const { value } = under(output, 'value');
      return value === undefined && isThere(under(output, 'type')) === false
        ? []
        : [[name, { value: scalarOf(value ?? null), sensitive: under(output, 'sensitive').value === true }] as const];
    }),
  );

/** A list or a map is its JSON text: values of lines are scalars. */
function scalarOf(value: Json): StackOutput['value'] {
  const held = plain(value);
  return isList(value) || isMap(value) ? JSON.stringify(held) : (held as StackOutput['value']);
}
