/**
 * Names in Secrets Manager and in the parameter store. Under Lockkeeper's prefix lie its own secrets, and one level deeper those of
 * each environment's plans: `<prefix>/<environment>/<NAME>`.
 */

/** What a secret or parameter is called, without the ARN before it and the `/` that parameters may begin with. */
export const bareName = (id: string): string =>
  id.replace(/^arn:[^:]*:(?:secretsmanager:[^:]*:[^:]*:secret:|ssm:[^:]*:[^:]*:parameter)/, '').replace(/^\/+/, '');

/**
 * How a name lies to an environment. `own`: under its part of the prefix. `forbidden`: under the prefix and not there, so it is
 * Lockkeeper's own or another environment's, which no plan may name. `outside`: anywhere else.
 */
export function standingOf(id: string, prefix: string, environment: string): 'own' | 'forbidden' | 'outside' {
  const name = bareName(id);
  if (!name.startsWith(`${prefix}/`)) return 'outside';
  const own = `${prefix}/${environment}/`;
  return name.startsWith(own) && name.length > own.length ? 'own' : 'forbidden';
}
