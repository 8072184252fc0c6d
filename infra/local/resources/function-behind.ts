import { unsupported } from '../template/unsupported.ts';
import type { Parts, Resource } from './kind.ts';

/** Logical id of the function that `reference` (name, ARN or Ref) stands for. */
export function functionBehind(resource: Resource, reference: string, parts: Pick<Parts, 'find'>): string {
  const target = parts.find(reference);
  if (target?.type !== 'AWS::Lambda::Function') throw unsupported(resource.id, `its target ${reference} is no function of this template`);
  return target.id;
}
