import type { Scalar } from '../plan/types.ts';
import type { RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import type { SealingKey } from '../secrets/keys.ts';
import { open, seal, sealedUnder } from '../secrets/seal.ts';

/** Sensitive outputs of one line of a run, sealed under the run's own key: they open for that line and run alone, and as long as the run has its key. */
export const sealOutputs = (key: SealingKey, run: string, line: string, outputs: Readonly<Record<string, Scalar>>): string =>
  seal(key, JSON.stringify(outputs), placeOf(run, line));

/**
 * A line's sensitive outputs, each registered with the redactor before the caller emits or stores anything. None, where none
 * are sealed, or under a key that the run has forgotten.
 *
 * @throws LockkeeperError SEAL_UNREADABLE
 */
export function openSealed(
  world: Pick<World, 'redactor'>,
  { ofOutputs }: { readonly ofOutputs: SealingKey },
  { run, spec, sealed }: Pick<RunLine, 'run' | 'spec' | 'sealed'>,
): Record<string, Scalar> {
  if (sealed === undefined || sealedUnder(sealed) !== ofOutputs.id) return {};
  const outputs = JSON.parse(open(ofOutputs, sealed, placeOf(run, spec.id))) as Record<string, Scalar>;
  for (const [name, value] of Object.entries(outputs)) registerOutput(world, value, `output ${spec.id}.${name}`);
  return outputs;
}

/** From now on the value of a sensitive output is masked. The text of a boolean stands everywhere and is not looked for. */
export function registerOutput({ redactor }: Pick<World, 'redactor'>, value: Scalar, about: string): void {
  if (typeof value !== 'boolean') redactor.register(String(value), about);
}

const placeOf = (run: string, line: string): string => `outputs ${run} ${line}`;
