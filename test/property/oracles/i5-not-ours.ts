import type { Sent } from '../house.ts';
import type { Seen } from '../stage.ts';

/**
 * I5: nothing is deleted that our requests did not make, and nothing of others is changed that the run's own scope does not manage: not
 * what is unmanaged, nor what another scope owns. What nobody asked people about is taken over only where a person has reconciled it, or has said that its line may. What
 * somebody made where an interrupted create of ours was looked for bears our mark (P4).
 */
export function touchedOfOthers({ sent, ours, ambiguous }: Seen): string[] {
  const isOthers = ({ id }: Sent) => id !== undefined && !ours.has(id) && !ambiguous.has(id);
  const deleted = (one: Sent) => one.method === 'DELETE' && isOthers(one);
  const unmanaged = (one: Sent) => one.method === 'PATCH' && one.entry === undefined;
  const takenOver = (one: Sent) =>
    one.method === 'PATCH' &&
    isOthers(one) &&
    one.run.kind === 'apply' &&
    one.run.phase === 'applying' &&
    one.entry?.run === one.run.id &&
    !one.run.gated &&
    one.run.options.adopt !== one.line &&
    !one.run.options.reconcile;
  const wrong = sent.filter((one) => deleted(one) || unmanaged(one) || takenOver(one));
  return wrong.map((one) => `I5: run ${one.run.id} sent ${one.method} for ${one.name} (${one.id}), which is not ours`);
}
