import { plain } from '../../drift/readers/disclose.ts';
import { isList, isMap, type Json, type JsonMap, memberOf } from '../../drift/readers/json.ts';
import { mapIn, whole } from '../../drift/readers/place.ts';
import { holdsSecret } from '../../drift/readers/pulumi.ts';
import type { StackOutput } from '../tool-work.ts';
import { holdsUnknown } from './state.ts';

/**
 * The outputs of a stack, out of `pulumi stack output --json` without and with `--show-secrets`: one that is hidden in the first, as a whole
 * or in part, is sensitive. A list or a map is JSON text, since an output of a line is one value.
 *
 * @throws UnreadableError
 */
export function outputsIn(shown: Json, inClear: Json): Record<string, StackOutput> {
  const [marked, values] = [mapIn(whole(shown)), mapIn(whole(inClear))];
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, StackOutput] => {
      const mark = memberOf(marked, name);
      return [name, { value: outputValue(value), sensitive: mark === undefined || holdsSecret(mark) }];
    }),
  );
}

/** Those that a preview knows already: neither secret nor in part unknown. */
export function knownOutputs(outputs: JsonMap): Record<string, StackOutput> {
  const known = Object.entries(outputs).filter(([, value]) => !holdsSecret(value) && !holdsUnknown(value));
  return Object.fromEntries(known.map(([name, value]) => [name, { value: outputValue(value), sensitive: false }]));
}

function outputValue(value: Json): StackOutput['value'] {
  const held = plain(value);
  return isMap(value) || isList(value) ? JSON.stringify(held) : (held as StackOutput['value']);
}
