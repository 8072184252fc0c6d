import { canonicalJson } from '../../approvals/canonical-json.ts';
import { type Json, memberOf, same } from '../../drift/readers/json.ts';
import { differences, pathText, valueAt, type Way } from '../../drift/readers/paths.ts';
import { holdsSecret } from '../../drift/readers/pulumi.ts';
import { type Shown, shownOf } from '../../drift/readers/show.ts';
import { holdsSensitive, isSensitivePath } from '../../drift/sensitive-key.ts';
import { fingerprint } from '../../secrets/fingerprint.ts';
import type { FingerprintKey } from '../../secrets/keys.ts';
import type { StackChange } from '../tool-work.ts';
import type { PulumiStep } from './event.ts';
import { type Folded, folded } from './fold.ts';
import { fingerprintAfter, fingerprintBefore, holdsUnknown, type PulumiState, plainValue } from './state.ts';

/** What of a preview may be told, and under which key the rest is fingerprinted. */
export interface Telling {
  readonly key: FingerprintKey;
  /** `<type>#<path>`, as policy lists what may be shown. */
  readonly show: readonly string[];
}

/** The resource that stands for the stack itself. It is nothing outside; its outputs are the stack's. */
export const rootType = 'pulumi:pulumi:Stack';

/**
 * What the steps of a preview come to, one change a resource, in Pulumi's order. That the stack itself is made or removed is a change only
 * where it is the only one; that its outputs change is one, since other lines use them.
 *
 * @param rootEnd the closing step of the stack's own resource, which alone has its new outputs.
 * @throws UnreadableError for an operation that is not known.
 */
export function changesOf(steps: readonly PulumiStep[], rootEnd: PulumiStep | undefined, telling: Telling): StackChange[] {
  const all = folded(steps);
  const others = all.filter(({ step }) => step.type !== rootType);
  const outputs = rootEnd === undefined ? undefined : outputChange(rootEnd, telling);
  if (others.length === 0 && outputs === undefined) return all.map((one) => changeOf(one, telling));
  return [...others.map((one) => changeOf(one, telling)), ...(outputs === undefined ? [] : [outputs])];
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

function waysIn({ ways }: PulumiStep, before: PulumiState | undefined, after: PulumiState | undefined): readonly Way[] {
  if (ways.length > 0) return ways;
  if (after === undefined) return [];
  if (before === undefined) return Object.keys(after.inputs).map((name) => [name]);
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
    const told = is === undefined || holdsUnknown(is) ? {} : { after: plainValue(is) };
    return [{ path, ...(was === undefined ? {} : { before: plainValue(was) }), ...told }];
  });
}

const hidden = (value: Json | undefined): boolean => value !== undefined && (holdsSecret(value) || holdsSensitive(value));

function outputChange({ op, urn, old, now }: PulumiStep, { key }: Telling): StackChange | undefined {
  if (op !== 'same' && op !== 'update') return undefined;
  const [before, after] = [old?.outputs ?? {}, now?.outputs ?? {}];
  const ways = differences(before, after).map(({ way }) => ['outputs', ...way.slice(0, 1)]);
  if (ways.length === 0) return undefined;
  const mac = (outputs: Json) => fingerprint(key, canonicalJson(plainValue(outputs)));
  return { address: urn, type: rootType, actions: ['update'], paths: pathsOf(ways), before: mac(before), after: mac(after) };
}
