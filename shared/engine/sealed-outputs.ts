import type { Scalar } from '../plan/types.ts';
import type { RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { open, seal } from '../secrets/seal.ts';

/** Sensitive outputs of one line of a run, sealed: they open for that line and run alone. */
export const sealOutputs = ({ keys }: Pick<World, 'keys'>, run: string, line: string, outputs: Readonly<Record<string, Scalar>>): string =>
  seal(keys.sealing, JSON.stringify(outputs), placeOf(run, line));

/**
 * A line's sensitive outputs, each registered with the redactor before the caller emits or stores anything. None, where none are sealed.
 *
 * @throws LockkeeperError SEAL_UNREADABLE
 */
export function openSealed(world: Pick<World, 'keys' | 'redactor'>, { run, spec, sealed }: Pick<RunLine, 'run' | 'spec' | 'sealed'>): Record<string, Scalar> {
  if (sealed === undefined) return {};
  const outputs = JSON.parse(open(world.keys.sealing, sealed, placeOf(run, spec.id))) as Record<string, Scalar>;
  for (const [name, value] of Object.entries(outputs)) registerOutput(world, value, `output ${spec.id}.${name}`);
  return outputs;
}

/** From now on the value of a sensitive output is masked. The text of a boolean stands everywhere and is not looked for. */
export function registerOutput({ redactor }: Pick<World, 'redactor'>, value: Scalar, about: string): void {
  if (typeof value !== 'boolean') redactor.register(String(value), about);
}

const placeOf = (run: string, line: string): string => `outputs ${run} ${line}`;
