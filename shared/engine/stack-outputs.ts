import type { Problem } from '../errors/error.ts';
import type { Scalar } from '../plan/types.ts';
import type { LineResult, LineSpec } from '../run/items.ts';
import type { World } from '../run/world.ts';
import type { StackOutput } from '../stacks/tool-work.ts';
import { declaredOutputs } from './declared-outputs.ts';
import type { Op } from './op.ts';
import { registerOutput } from './sealed-outputs.ts';

/** A stack's outputs as they may be stored, and those that the line names and nobody gave. */
export interface GivenByStack {
  readonly outputs: LineResult['outputs'];
  readonly secret: Record<string, Scalar> | undefined;
  readonly missing: readonly string[];
}

/** Of all outputs of a line together: they are kept in its item, and beside it. */
const mostCharacters = 64 * 1024;

/**
 * Outputs of the stack that the line names: public ones in clear, those that the tool marks, and those in which a registered value stands, as null,
 * with their values beside them where a line needs them. Marked ones are known to the redactor from now on.
 */
export function storeStackOutputs(world: World, op: Op, line: LineSpec, found: Readonly<Record<string, StackOutput>>): GivenByStack {
  const names = Object.keys(declaredOutputs(op, line.params));
  for (const [name, { value, sensitive }] of Object.entries(found)) {
    if (!sensitive || value === null) continue;
    registerOutput(world, value, `${op.adapter}.${op.name} ${name}`);
    if (names.includes(name)) world.seen?.set(name, value);
  }
  let room = mostCharacters;
  const given = names.flatMap((name): [string, Scalar, boolean][] => {
    const output = Object.hasOwn(found, name) ? found[name] : undefined;
    if (!output || output.value === null) return [];
    room -= String(output.value).length;
    if (room < 0) return [];
    return [[name, output.value, output.sensitive || world.redactor.contains(String(output.value))]];
  });
  const secret = Object.fromEntries(given.flatMap(([name, value, isSecret]) => (isSecret ? [[name, value]] : [])));
  return {
    outputs: Object.fromEntries(given.map(([name, value, isSecret]) => [name, isSecret ? null : value])),
    secret: Object.keys(secret).length > 0 && line.dependants.length > 0 ? secret : undefined,
    missing: names.filter((name) => !given.some(([is]) => is === name)),
  };
}

/** A line that names an output which its stack does not have, or which is no text, number or boolean: other lines would wait for it for ever. */
export function missingOutputs(missing: readonly string[]): Problem | undefined {
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => `\`${name}\``).join(', ');
  return {
    code: 'PARAM_INVALID',
    message: `\`outputs\` names ${names}: the stack has no such output, or one that is no text, number or boolean, or more than 64 KB of them.`,
  };
}
