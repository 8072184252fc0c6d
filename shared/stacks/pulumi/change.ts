import { canonicalJson } from '../../approvals/canonical-json.ts';
import { plain } from '../../drift/readers/disclose.ts';
import { type Json, memberOf, same } from '../../drift/readers/json.ts';
import { differences, pathText, valueAt, type Way } from '../../drift/readers/paths.ts';
import { holdsSecret } from '../../drift/readers/pulumi.ts';
import { type Shown, shownOf } from '../../drift/readers/show.ts';
import { holdsSensitive, isSensitivePath } from '../../drift/sensitive-key.ts';
import { fingerprint } from '../../secrets/fingerprint.ts';
import type { FingerprintKey } from '../../secrets/keys.ts';
import type { StackChange } from '../tool-work.ts';
import type { PulumiStep } from './event.ts';
import { type Folded, folded, removes } from './fold.ts';
import { fingerprintAfter, fingerprintBefore, holdsUnknown, type PulumiState } from './state.ts';

/** What of a preview may be told, and under which key the rest is fingerprinted. */
export interface Telling {
  readonly key: FingerprintKey;
  /** `<type>#<path>`, as policy lists what may be shown. */
  readonly show: readonly string[];
}

/** The resource that stands for the stack itself. It is nothing outside; its outputs are the stack's. */
export const rootType = 'pulumi:pulumi:Stack';

/** The type of what stands for an output among changes. */
export const outputType = 'output';

/**
 * What the steps of a preview come to: one change a resource and one an output, sorted by address, since Pulumi's order is another one each
 * time. What stays as it is has none; that the stack itself is made or removed is none either.
 *
 * @param rootEnd the closing step of the stack's own resource, which alone has its new outputs.
 * @throws UnreadableError for an operation that is not known.
 */
export function changesOf(steps: readonly PulumiStep[], rootEnd: PulumiStep | undefined, telling: Telling): StackChange[] {
  const resources = folded(steps).filter(({ step }) => step.type !== rootType);
  const outputs = rootEnd === undefined ? [] : outputChanges(rootEnd, telling);
  return [...resources.map((one) => changeOf(one, telling)), ...outputs].sort((a, b) => (a.address < b.address ? -1 : 1));
}

export function changeOf({ address, actions, previousAddress, step }: Folded, { key, show }: Telling): StackChange {
  const { old, now } = step;
  const made = actions.includes('create') && !actions.includes('delete') && !actions.includes('forget');
  const before = made ? undefined : old;
  const after = actions.at(-1) === 'delete' && !actions.includes('create') ? undefined : now;
  const replacePaths = pathsOf(step.replaceWays);
  const shown = shownIn(step, show, before, after);
  return {
    address,
    type: step.type,
    actions,
    ...(previousAddress === undefined ? {} : { previousAddress }),
    paths: pathsOf(waysIn(step, before, after)),
    ...(replacePaths.length === 0 ? {} : { replacePaths }),
    ...(before === undefined ? {} : { before: fingerprintBefore(key, before) }),
    ...(after === undefined ? {} : { after: fingerprintAfter(key, after) }),
    ...(shown.length === 0 ? {} : { shown }),
  };
}

/** What the tool keeps for itself, as the serialised program of a dynamic provider, is told only where nothing else differs. */
function pathsOf(ways: readonly Way[]): string[] {
  const told = ways.filter(([first]) => !String(first).startsWith('__'));
  return [...new Set((told.length > 0 ? told : ways).map(pathText))].sort();
}

/** What is made or goes away is named as a whole. */
function waysIn({ ways }: PulumiStep, before: PulumiState | undefined, after: PulumiState | undefined): readonly Way[] {
  if (after === undefined || before === undefined) return [];
  if (ways.length > 0) return ways;
  const asked = differences(before.inputs, after.inputs);
  // A repair: what is asked for is as it was, and what is there is not.
  return (asked.length > 0 ? asked : strayed(before, after)).map(({ way }) => way);
}

const strayed = (before: PulumiState, after: PulumiState) =>
  Object.entries(after.inputs).flatMap(([name, value]) => {
    const held = memberOf(before.outputs, name);
    return held === undefined ? [] : differences(held, value, [name]);
  });

function shownIn(
  { type }: PulumiStep,
  show: readonly string[],
  before: PulumiState | undefined,
  after: PulumiState | undefined,
): NonNullable<StackChange['shown']> {
  const listed = show.map(shownOf).filter((one): one is Shown => one?.type === type);
  return listed.flatMap(({ way }) => {
    const path = pathText(way);
    const was = before === undefined ? undefined : (valueAt(before.outputs, way) ?? valueAt(before.inputs, way));
    const is = after === undefined ? undefined : valueAt(after.inputs, way);
    if (same(was, is) || isSensitivePath(path) || hidden(was) || hidden(is)) return [];
    const told = is === undefined || holdsUnknown(is) ? {} : { after: plain(is) };
    return [{ path, ...(was === undefined ? {} : { before: plain(was) }), ...told }];
  });
}

const hidden = (value: Json | undefined): boolean => value !== undefined && (holdsSecret(value) || holdsSensitive(value));

/** An output is no resource, and changes all the same: other lines use it. */
function outputChanges({ op, old, now }: PulumiStep, { key }: Telling): StackChange[] {
  const [before, after] = [old?.outputs ?? {}, removes.has(op) ? {} : (now?.outputs ?? {})];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [memberOf(before, name), memberOf(after, name)];
    if (same(was, is)) return [];
    const action = was === undefined ? 'create' : is === undefined ? 'delete' : 'update';
    const mac = (value: Json) => fingerprint(key, canonicalJson(plain(value)));
    return {
      address: `output.${name}`,
      type: outputType,
      actions: [action],
      paths: [],
      ...(was === undefined ? {} : { before: mac(was) }),
      ...(is === undefined ? {} : { after: mac(is) }),
    };
  });
}
