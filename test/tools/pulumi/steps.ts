import type { Project, Wanted } from './program.ts';
import { isSecret, type Property, unknown } from './property.ts';
import type { Properties, Recorded, StackState } from './stack.ts';

/** One step, as the engine of Pulumi takes it. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly old?: Recorded;
  readonly inputs?: Properties;
  readonly retains?: boolean;
  readonly keys?: readonly string[];
}

export const nameOf = (urn: string): string => urn.split('::').slice(3).join('::');

export const rootUrn = (stack: string, project: string): string => urnOf(stack, project, 'pulumi:pulumi:Stack', `${project}-${short(stack)}`);
export const urnOf = (stack: string, project: string, type: string, name: string): string => `urn:pulumi:${short(stack)}::${project}::${type}::${name}`;
const short = (stack: string): string => stack.split('/').at(-1) ?? stack;

/** What has to be done so that what is recorded becomes what the program asks for. */
export function stepsTo(project: Project, stack: string, state: StackState, destroys: boolean): Step[] {
  const wanted = destroys ? [] : project.resources;
  const made = wanted.flatMap((one) => stepsOf(one, stack, project, state));
  const left = state.resources.filter(({ urn, delete: old }) => old === true || !wanted.some((one) => urnOf(stack, project.name, one.type, one.name) === urn));
  const gone = [...left].reverse().map(
    (old): Step => ({
      op: old.delete === true ? 'delete-replaced' : 'delete',
      urn: old.urn,
      type: old.type,
      custom: old.custom,
      old,
      ...(old.retainOnDelete === undefined ? {} : { retains: old.retainOnDelete }),
    }),
  );
  return [...made, ...made.flatMap(deletedLater), ...gone];
}

const later = new WeakSet<Step>();

function stepsOf(one: Wanted, stack: string, project: Project, state: StackState): Step[] {
  const urn = urnOf(stack, project.name, one.type, one.name);
  const old = state.resources.find((recorded) => recorded.urn === urn && recorded.delete !== true);
  const inputs = linked(one.inputs, project, stack, state) as Properties;
  const step = { urn, type: one.type, custom: !one.component, inputs, retains: one.retains };
  if (old === undefined) return [{ op: 'create', ...step }];
  const keys = Object.keys({ ...old.inputs, ...inputs }).filter((key) => JSON.stringify(old.outputs[key] ?? old.inputs[key]) !== JSON.stringify(inputs[key]));
  if (keys.length === 0) return [{ op: 'same', ...step, old }];
  if (!keys.includes('key')) return [{ op: 'update', ...step, old }];
  const replaced = { ...step, old, keys: ['key'] };
  if (one.deletesFirst) return ['delete-replaced', 'replace', 'create-replacement'].map((op) => ({ op, ...replaced }));
  const parts = ['create-replacement', 'replace'].map((op): Step => ({ op, ...replaced }));
  for (const part of parts) later.add(part);
  return parts;
}

/** The old one of a replacement goes when everything else is made. */
const deletedLater = (step: Step): Step[] => (later.has(step) && step.op === 'replace' ? [{ ...step, op: 'delete-replaced' }] : []);

/** `${<resource>.<property>}` as what is recorded of it, and unknown where nothing is. */
export function linked(value: Property, project: Project, stack: string, state: StackState): Property {
  if (isSecret(value)) return value as unknown as Property;
  if (typeof value === 'string') {
    const [, name, property] = /^\$\{([^.}]+)\.([^}]+)\}$/.exec(value) ?? [];
    const one = project.resources.find((resource) => resource.name === name);
    if (name === undefined || property === undefined || one === undefined) return value;
    const recorded = state.resources.find(({ urn, delete: old }) => urn === urnOf(stack, project.name, one.type, one.name) && old !== true);
    return recorded === undefined ? unknown : property === 'id' ? recorded.id : (recorded.outputs[property] ?? unknown);
  }
  if (Array.isArray(value)) return value.map((item: Property) => linked(item, project, stack, state));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, linked(held as Property, project, stack, state)]));
}
