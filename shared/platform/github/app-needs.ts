/** What the GitHub App needs, and why: the manifest in docs/deploy.md and `lockkeeper doctor` are held to this one list. */

export type Access = 'read' | 'write';

/** Permissions on repositories, and one on the organization. Names are GitHub's, as in an App manifest. */
export const appPermissions: Readonly<Record<string, Access>> = {
  /** Everything about a repository begins with it; also who may maintain it, which decides who may approve. */
  metadata: 'read',
  /** Plan files and lockkeeper.yaml at a commit, how commits follow each other, and who wrote one; the event `push`. */
  contents: 'read',
  /** The state of a pull request, and the one comment on it. */
  pull_requests: 'write',
  /** The check run of a commit, and the events that ask for it again. */
  checks: 'write',
  /** The event that a deployment has finished. */
  deployments: 'read',
  /** The dashboard issue and what people do to it; that somebody commented, and whether they did, where the comment approves something. */
  issues: 'write',
  /** Of the organization: who is in a team that policy lists as approvers. */
  members: 'read',
};

/** Those of them that a person's own account cannot grant: it has no teams. */
export const organizationPermissions: readonly string[] = ['members'];

/** Webhook events the App subscribes to. */
export const appEvents = ['pull_request', 'push', 'deployment_status', 'check_run', 'check_suite', 'issue_comment', 'issues'] as const;

/** A permission of `write` holds `read`. */
export const covers = (granted: string | undefined, needed: Access): boolean => granted === needed || granted === 'write' || granted === 'admin';
