import { mixed } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { VercelProject, VercelTarget, VercelVariable } from './state.ts';

/** A variable as somebody wants it. */
export interface VariableWish {
  readonly key: string;
  readonly value: string;
  readonly type: VercelVariable['type'];
  readonly target: readonly VercelTarget[];
  readonly gitBranch: string | undefined;
  readonly comment: string | undefined;
}

export type Refusal = { readonly code: string; readonly message: string };

/** What is already there under this key and branch and shares a target. */
export function inTheWay(project: VercelProject, wish: VariableWish): VercelVariable | undefined {
  return project.variables.find(
    (each) => each.key === wish.key && each.gitBranch === wish.gitBranch && each.target.some((target) => wish.target.includes(target)),
  );
}

/** Writes a variable: over the one in its way with `upsert` and the same targets, as a new one when nothing is. */
export function writeVariable(scene: Scene, project: VercelProject, wish: VariableWish, upsert: boolean): VercelVariable | Refusal {
  const present = inTheWay(project, wish);
  if (present === undefined) return addVariable(scene, project, wish);
  const sameTargets = present.target.length === wish.target.length && present.target.every((target) => wish.target.includes(target));
  if (!upsert || !sameTargets) {
    return { code: 'ENV_CONFLICT', message: `Another variable with the name ${wish.key} exists for the target ${present.target.join(', ')}.` };
  }
  present.value = wish.value;
  present.type = wish.type;
  present.comment = wish.comment ?? present.comment;
  present.updatedAt = scene.moment();
  return present;
}

export function addVariable(scene: Scene, project: VercelProject, wish: VariableWish): VercelVariable {
  const at = scene.moment();
  const variable = { ...wish, target: [...wish.target], id: mixed(scene.world.source, 16), createdAt: at, updatedAt: at };
  project.variables.push(variable);
  return variable;
}
