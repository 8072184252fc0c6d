import { listedThere } from '../approvals/electorate.ts';
import { mayDecideIn } from '../approvals/judge-decisions.ts';
import { LockkeeperError } from '../errors/error.ts';
import { notAPerson } from '../policy/not-a-person.ts';
import { isProtected, personBehind } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { CodeHost, Permission, Repository } from '../ports/code-host.ts';
import type { Ruler } from './ruling.ts';

/** Where a line writes, and what says who may speak about it there. */
export interface Ruled {
  readonly repository: Repository;
  readonly policy: Policy;
  /** The run's environment, and whatever the line's op says it writes. */
  readonly environments: readonly string[];
}

interface RulingWorld {
  readonly codeHost: Pick<CodeHost, 'permission' | 'inTeam'>;
  readonly stack: 'embedded' | 'deployed';
}

const mayPush: ReadonlySet<Permission> = new Set(['write', 'maintain', 'admin']);

/**
 * Whether somebody may rule on a line, looked up at this moment: in a protected environment an approver of it, elsewhere whoever may
 * push. Whose commit it is does not matter: what a ruling lets a gated run do is put to people all the same.
 *
 * @throws LockkeeperError APPROVER_NOT_A_PERSON, NOT_AN_APPROVER; what the host throws.
 */
export async function judgeRuler({ codeHost, stack }: RulingWorld, by: Ruler, { repository, policy, environments }: Ruled): Promise<void> {
  if (by.through === 'machine') {
    if (stack === 'embedded') return;
    throw notAPerson(by.name);
  }
  if (by.through === 'aws' && personBehind(policy, by.principal ?? '')?.toLowerCase() !== by.name.toLowerCase()) throw notAPerson(by.principal ?? by.name);
  const permission = await codeHost.permission(repository, by.name);
  const permissions = new Map([[by.name.toLowerCase(), permission]]);
  const guarded = environments.filter((environment) => isProtected(policy, environment));
  for (const environment of guarded) {
    const listed = await listedThere({ codeHost }, policy, repository, environment, [by.name]);
    const standing = mayDecideIn(listed, by.name, { permissions });
    if (!standing.allowed) throw new LockkeeperError({ code: standing.code, message: `In ${environment}: ${standing.why}` });
  }
  if (guarded.length === 0 && !mayPush.has(permission)) {
    throw new LockkeeperError({ code: 'NOT_AN_APPROVER', message: `${by.name} may not push to the repository.`, hint: 'Ask somebody who may.' });
  }
}
