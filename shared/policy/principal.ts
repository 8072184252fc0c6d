/**
 * AWS principals as policy names them, and as `sts:GetCallerIdentity` tells who calls: the two differ for roles. A role is
 * `arn:aws:iam::<account>:role/<path>/<name>`; whoever assumed it is `arn:aws:sts::<account>:assumed-role/<name>/<session>`, without
 * the path, which is no loss: a role's name is unique in its account (IAM user guide, "IAM identifiers").
 */

const part = '[\\w+=,.@-]';
const principalForms = {
  user: new RegExp(`^arn:(aws[a-z-]*):iam::(\\d{12}):user/((?:[!-~]+/)?${part}{1,64})$`),
  role: new RegExp(`^arn:(aws[a-z-]*):iam::(\\d{12}):role/(?:[!-~]+/)?(${part}{1,64})$`),
  session: new RegExp(`^arn:(aws[a-z-]*):sts::(\\d{12}):assumed-role/(${part}{1,64}/${part}{2,64})$`),
  federated: new RegExp(`^arn:(aws[a-z-]*):sts::(\\d{12}):federated-user/(${part}{2,32})$`),
} as const;

/** Any principal that policy may name: one user or session, or a role for all its sessions. Never a root user, a group or a wildcard. */
export const principalPattern = new RegExp(
  Object.values(principalForms)
    .map((form) => form.source)
    .join('|'),
);

/**
 * The principal taken apart: `family` is equal for a role and all its sessions and for nobody else, `one` tells the members of a
 * family apart and is missing for the role itself. Undefined: no principal that policy may name.
 */
export function principalOf(arn: string): { readonly family: string; readonly one?: string } | undefined {
  for (const [kind, form] of Object.entries(principalForms)) {
    const [, partition, account, name] = form.exec(arn) ?? [];
    if (name === undefined) continue;
    const [role = name, session] = kind === 'session' ? name.split('/') : [name];
    const family = `${partition}:${account}:${kind === 'session' ? 'role' : kind}:${role}`;
    return kind === 'role' ? { family } : { family, one: session ?? name };
  }
  return undefined;
}

/** Whether `caller`, as STS names it, is the principal that policy names, or a session of the role that it names. */
export function isPrincipal(named: string, caller: string): boolean {
  const [wanted, found] = [principalOf(named), principalOf(caller)];
  if (wanted === undefined || found?.one === undefined) return false;
  return wanted.family === found.family && (wanted.one === undefined || wanted.one === found.one);
}
