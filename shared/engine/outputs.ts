import type { Scalar } from '../plan/types.ts';
import type { LineSpec } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { declaredOutputs } from './declared-outputs.ts';
import type { Op, Outputs } from './op.ts';

/** `secret`: what is sealed before it is stored. `withheld`: outputs that no op marks, and in which a registered value stands. */
export interface StoredOutputs {
  readonly outputs: Record<string, Scalar | null>;
  readonly secret: Record<string, Scalar> | undefined;
  readonly withheld: readonly string[];
}

/** Outputs as they may be stored: public ones in clear, sensitive ones as null; their values beside them, where a line needs them. */
export function storeOutputs(world: World, line: LineSpec, op: Op, outputs: Outputs): StoredOutputs {
  const declared = declaredOutputs(op, line.params);
  const isMarked = (name: string) => declared[name]?.sensitive === true || declared[name]?.once === true;
  const isSensitive = (name: string) => isMarked(name) || world.redactor.contains(String(outputs[name]));
  const withheld = Object.keys(outputs).filter((name) => isSensitive(name) && !isMarked(name));
  const shown = Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, isSensitive(name) ? null : value]));
  const secret = Object.fromEntries(Object.entries(outputs).filter(([name]) => isSensitive(name)));
  const isNeeded = Object.keys(secret).length > 0 && line.dependants.length > 0;
  return { outputs: shown, withheld, secret: isNeeded ? secret : undefined };
}
