import type { Sent } from '../house.ts';
import type { Stage } from '../stage.ts';

/**
 * I5: nothing is deleted that our requests did not make, and nothing of others is changed that the run's own scope had not adopted: not
 * what is unmanaged, nor what another scope owns. What somebody made where an interrupted create of ours was looked for bears our mark (P4).
 */
export function touchedOfOthers({ sent, ours, ambiguous }: Stage): string[] {
  const isOthers = ({ id }: Sent) => id !== undefined && !ours.has(id) && !ambiguous.has(id);
  const wrong = (one: Sent) => (one.method === 'DELETE' ? isOthers(one) : one.method === 'PATCH' && one.entry?.createdBy === undefined);
  const refused = sent.filter((one) => one.method === 'PATCH' && isOthers(one) && one.entry?.createdBy === 'intent');
  return [...sent.filter(wrong), ...refused].map((one) => `I5: run ${one.run.id} sent ${one.method} for ${one.name} (${one.id}), which is not ours`);
}
