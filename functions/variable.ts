import type { Environment } from '../shared/platform/clients.ts';

/** A variable that the template sets. @throws Error where it is missing: then the function is not the template's. */
export function variable(environment: Environment, name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new Error(`the variable ${name} is not set: the template sets it for every function that needs it`);
}
