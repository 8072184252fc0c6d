import { type ReadDocument, readDocument } from '../../../shared/drift/read-document.ts';
import { readLedger } from '../../../shared/ledger/ledger-line.ts';
import { recordsOfLedger } from '../../../shared/scans/records-of-ledger.ts';
import { atSight } from '../commands/look.ts';
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
    look: async ({ store, place }) => {
      if (place === undefined) throw new Error('a look at a scope without a place');
      const ledger = await readLedger(store.table, place.key);
      const declared = plan.lines.filter(({ environments }) => environments?.includes(place.environment) ?? true);
      judgeLine(asked, [...declared, ...ledger.map(({ line }) => ({ id: line }))]);
      const observedAt = new Date(store.clock.now()).toISOString();
      const records = recordsOfLedger({ plan: place.plan, ledger, declared, observedAt });
      const about = { environment: place.environment, scope: place.scope };
      return readDocument({ member: place.plan, lockkeeper: version }, only(records, asked, { member: place.plan, observedAt }), about);
    },
  });
}
