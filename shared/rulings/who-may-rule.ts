import { type PeopleWorld, peopleThere } from '../approvals/electorate.ts';
import { type Standing, standingOf } from '../approvals/judge-decisions.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { notAPerson } from '../policy/not-a-person.ts';
import { isProtected } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Permission, Repository } from '../ports/code-host.ts';
import type { Run } from '../run/items.ts';
import { environmentsOf } from '../run/run-scope.ts';
import type { Ruler } from './ruling.ts';

/** What somebody speaks about, and what says who may. */
export interface Ruled {
  readonly repository: Repository;
  readonly policy: Policy;
  /** The run's environment, and whatever the op of each line says it writes. */
  readonly environments: readonly string[];
}

type RulingWorld = Pick<PeopleWorld, 'stack'> & { readonly codeHost: Omit<PeopleWorld['codeHost'], 'authorsOf'> };

const mayPush: ReadonlySet<Permission> = new Set(['write', 'maintain', 'admin']);

/**
 * Whether somebody may say a word about what is written in these environments, looked up at this moment: in a protected one an approver of
 * it, judged exactly as an answer to a question there is; elsewhere whoever may push. Whose commit it is does not matter: what a word
 * lets a gated run do is put to people all the same, and one's own does not count there.
 *
 * @throws LockkeeperError APPROVER_NOT_A_PERSON, NOT_AN_APPROVER; what the host throws: whom nobody could look up has said nothing.
 */
export async function judgeRuler(world: RulingWorld, by: Ruler, { repository, policy, environments }: Ruled): Promise<void> {
  const guarded = [...new Set(environments)].filter((environment) => isProtected(policy, environment));
  const electorate = { ...(await peopleThere(world, policy, repository, guarded, [by])), own: [] };
  const standing = standingOf(by, 'approve', electorate);
  if (!standing.allowed) throw refusal(by, guarded, standing);
  if (guarded.length > 0 || by.through === 'machine') return;
  const permission = electorate.permissions.get(by.name.toLowerCase()) ?? (await world.codeHost.permission(repository, by.name));
  if (!mayPush.has(permission))
    throw new LockkeeperError({ code: 'NOT_AN_APPROVER', message: `${by.name} may not push to the repository.`, hint: 'Ask somebody who may.' });
}

function refusal(by: Ruler, guarded: readonly string[], { code, why }: Extract<Standing, { allowed: false }>): LockkeeperError {
  if (code === 'APPROVER_NOT_A_PERSON' && by.through !== 'github') return notAPerson(by.principal ?? by.name);
  return new LockkeeperError({ code, message: guarded.length === 0 ? why : `In ${guarded.join(', ')}: ${why}` });
}

/**
 * The same for whoever asks for a removal: of what is protected of these lines. It is asked about all the same; what nobody protects whoever
 * may start a run may have removed.
 */
export async function judgeRemover(
  world: RulingWorld,
  by: Ruler,
  run: Pick<Run, 'repository' | 'environment'>,
  policy: Policy,
  taken: readonly LedgerLine[],
): Promise<void> {
  const environments = taken.flatMap((line) => environmentsOf(run, line)).filter((environment) => isProtected(policy, environment));
  if (environments.length > 0) await judgeRuler(world, by, { repository: run.repository, policy, environments });
}
