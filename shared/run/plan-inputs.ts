import { declaredOutputs } from '../engine/declared-outputs.ts';
import { opOf } from '../engine/line-call.ts';
import { splitReference } from '../plan/references.ts';
import { isFrom, isKeep, isSecret, isText, type Params, type PlanValue, type Scalar } from '../plan/types.ts';
import type { RunLine } from './items.ts';
import type { InputState } from './report.ts';
import type { World } from './world.ts';

/** The inputs of each line of a plan, by line and dotted path. */
export type Inputs = Readonly<Record<string, InputState>>;

/**
 * Where each value of a plan's lines comes from, and what is known of it (R1.100). Worked out of the plan and of the outputs as they are
 * stored, of which sensitive ones are null: no secret can be in it that was not in the plan file, and those are masked.
 */
export function planInputs(world: World, lines: readonly RunLine[]): ReadonlyMap<string, Inputs> {
  const byId = new Map(lines.map((line) => [line.spec.id, line]));
  return new Map(lines.map(({ spec }) => [spec.id, world.redactor.maskJson(inputsOf(world, spec.params, byId))]));
}

function inputsOf(world: World, params: Params, lines: ReadonlyMap<string, RunLine>): Inputs {
  const found: Record<string, InputState> = {};
  const walk = (value: PlanValue, path: string): void => {
    if (isText(value))
      found[path] = textState(
        value.from,
        value.parts.map((part) => (typeof part === 'string' ? part : outputState(world, part.from, lines))),
      );
    else if (isFrom(value)) found[path] = outputState(world, value.from, lines);
    else if (isSecret(value)) found[path] = { state: 'secret', value: null, ref: value.secret, sensitive: true };
    else if (isKeep(value)) found[path] = { state: 'kept', value: null };
    else if (typeof value === 'object') for (const [name, inside] of Object.entries(value)) walk(inside as PlanValue, path === '' ? name : `${path}.${name}`);
    else found[path] = { state: 'literal', value };
  };
  walk(params as PlanValue, '');
  return found;
}

type OutputState = Exclude<InputState, { readonly state: 'literal' | 'secret' }>;

function outputState(world: World, ref: string, lines: ReadonlyMap<string, RunLine>): OutputState {
  const { line: id, output } = splitReference(ref);
  const line = lines.get(id);
  const spec = line && declaredOutputs(opOf(world, line.spec), line.spec.params)[output];
  const value = line?.result?.outputs[output];
  const sensitive = spec?.sensitive === true || spec?.once === true || value === null;
  const where = { ref, dependsOn: [id], sensitive };
  if (value !== undefined) return { state: 'resolved', value: sensitive ? null : value, ...where };
  const comes = line?.result?.status === 'pending' || line?.result?.changes.some(({ kind }) => kind === 'create') === true;
  return spec?.once && line?.result && !comes ? { state: 'kept', value: null, ref } : { state: 'pending', value: null, ...where };
}

function textState(ref: string, parts: readonly (string | OutputState)[]): InputState {
  const outputs = parts.filter((part) => typeof part !== 'string');
  if (outputs.some(({ state }) => state === 'kept')) return { state: 'kept', value: null, ref };
  const all = outputs.flatMap((part) => (part.state === 'kept' ? [] : [part]));
  const where = { ref, dependsOn: [...new Set(all.flatMap(({ dependsOn }) => dependsOn))].sort(), sensitive: all.some(({ sensitive }) => sensitive) };
  if (all.some(({ state }) => state === 'pending')) return { state: 'pending', value: null, ...where };
  const value: Scalar = parts.map((part) => (typeof part === 'string' ? part : String(part.value))).join('');
  return { state: 'resolved', value: where.sensitive ? null : value, ...where };
}
