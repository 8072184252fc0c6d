import { type ReadDocument, readDocument } from '../../../shared/drift/read-document.ts';
import { readLedger } from '../../../shared/ledger/ledger-line.ts';
import type { Plan } from '../../../shared/plan/types.ts';
import { recordsOfLedger } from '../../../shared/scans/records-of-ledger.ts';
import { atSight } from '../commands/look.ts';
import type { ScopePlace } from '../commands/view.ts';
import type { Store } from '../folder/store.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanFile } from '../plan-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { only } from './only.ts';
import { judgeLine, type ReadAsked } from './read-asked.ts';

/** What is recorded, here or in a stack: no provider is asked, and no secret is read. */
export async function readState(invocation: Invocation, asked: ReadAsked, surroundings: Surroundings, version: string): Promise<ReadDocument> {
  const { plan } = readPlanFile(surroundings.cwd, invocation.plan);
  return atSight(invocation, surroundings, {
    isAboutScope: true,
    look: ({ store, place }) => {
      if (place === undefined) throw new Error('a look at a scope without a place');
      return documentOfLedger(store, place, plan, asked, version);
    },
  });
}

/** The document of what the ledger of a scope says, beside what the plan file at hand declares for its environment. */
export async function documentOfLedger(
  { table, clock }: Pick<Store, 'table' | 'clock'>,
  place: Pick<ScopePlace, 'plan' | 'key' | 'environment' | 'scope'>,
  { lines }: Pick<Plan, 'lines'>,
  asked: ReadAsked,
  version: string,
): Promise<ReadDocument> {
  const { plan, environment, scope } = place;
  const ledger = await readLedger(table, place.key);
  const declared = lines.filter(({ environments }) => environments?.includes(environment) ?? true);
  judgeLine(asked, [...declared, ...ledger.map(({ line }) => ({ id: line }))]);
  const observedAt = new Date(clock.now()).toISOString();
  const records = recordsOfLedger({ plan, ledger, declared, observedAt });
  return readDocument({ member: plan, lockkeeper: version }, only(records, asked, { member: plan, observedAt }), { environment, scope });
}
