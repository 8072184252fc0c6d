/** Variables that let a tool act as a role, for an hour at most. */
export type RoleVariables = Readonly<Record<'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN', string>>;

/**
 * AWS roles that policy names for an environment's stacks.
 *
 * @throws LockkeeperError ROLE_REFUSED where it cannot be assumed; STORE_UNREACHABLE where nobody can be asked.
 */
export interface Roles {
  /** @param session who acts, as CloudTrail tells it: letters, digits and `=,.@-`, at most 64. */
  assume(role: string, session: string): Promise<RoleVariables>;
}
