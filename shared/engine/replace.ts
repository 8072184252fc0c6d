import { type Entry, isIntent } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Applying } from './applying.ts';
import type { Inspecting, Judged } from './inspecting.ts';
import type { LiveResource, ResourceChange } from './op.ts';

/**
 * A line that a person has recreated: what Lockkeeper made of it is deleted and made anew in one run.
 *
 *     mark in the entry ─▶ provider delete ─▶ entry becomes an intent ─▶ create, as any other
 *
 * A death before the delete finds the mark and the thing; after it, the mark and nothing, or an intent: each goes on from there. Once it is
 * made, the entry has another id than the one it replaces.
 */
export const isReplaced = ({ verdict }: Judged): boolean => verdict.do === 'replace';

/** What a resource replaces whose replacement this run has begun and not finished. */
export function begunReplacement({ run }: Pick<Inspecting, 'run'>, entry: Entry | undefined): Entry['replaces'] {
  const { replaces } = entry ?? {};
  if (!entry || replaces?.run !== run.id) return undefined;
  return isIntent(entry) || entry.id === replaces.id ? replaces : undefined;
}

/** Verdicts with those of a line that is to be recreated: what is ours goes and comes again, and anything else is not ours to delete. */
export function withReplacements(job: Inspecting, resources: readonly Judged[], anew: () => readonly ResourceChange[]): Judged[] {
  if (!job.run.options.recreate?.includes(job.line.spec.id)) return [...resources];
  const changes = new Map(anew().map((change) => [change.key, change]));
  return resources.map((resource): Judged => {
    const { live, verdict, change, standing } = resource;
    if (verdict.do === 'create') return begunReplacement(job, standing.entry) ? { ...resource, verdict: { do: 'create' } } : resource;
    if (!live || isMadeAnew(job, standing.entry)) return resource;
    if (mayReplace(job, resource, live)) {
      return { ...resource, change: { ...(changes.get(change.key) ?? change), kind: 'create', replaces: true }, verdict: { do: 'replace' } };
    }
    return verdict.do === 'refuse' ? resource : { ...resource, verdict: { do: 'refuse', problem: notOurs(job, change) } };
  });
}

const isMadeAnew = ({ run }: Inspecting, entry: Entry | undefined): boolean =>
  entry !== undefined && !isIntent(entry) && entry.replaces?.run === run.id && entry.id !== entry.replaces.id;

/** It was made by us here, and is the very thing that we made. */
function mayReplace(job: Inspecting, { standing: { entry, owner } }: Judged, live: LiveResource): boolean {
  if (!entry || owner.by !== 'us') return false;
  if (isIntent(entry)) return begunReplacement(job, entry)?.id === live.id;
  return entry.createdBy === 'lockkeeper' && entry.id === live.id;
}

const notOurs = ({ line, op }: Inspecting, change: ResourceChange) => ({
  code: 'USAGE' as const,
  message: `${change.label} was not made by Lockkeeper in this scope: line ${line.spec.id} cannot be recreated.`,
  hint: `Delete it at ${op.adapter} yourself, if it has to go; the next run makes it then.`,
});

/** Deletes what is to be made anew. Returns the job as it goes on from there. */
export async function removeReplaced(job: Applying, resources: readonly Judged[]): Promise<Applying> {
  const replaced = resources.filter(isReplaced).flatMap((resource) => (resource.live ? [{ ...resource, live: resource.live }] : []));
  const marked = await saved(job, replaced, (entry, live) => {
    if (begunReplacement(job, entry)) return entry;
    return { ...entry, replaces: { run: job.run.id, id: live.id, before: fingerprint(job.world.keys.fingerprint, live.hash) } };
  });
  for (const { live } of replaced) await job.op.destroy(live, job.call);
  return saved(marked, replaced, (entry) => {
    const { id: _id, fingerprint: _of, cleanAt: _clean, onceFingerprints: _gone, ...rest } = entry;
    return { ...rest, createdBy: 'intent', run: job.run.id, fence: job.tenure.fence, begunAt: job.world.clock.now() };
  });
}

async function saved(
  job: Applying,
  resources: readonly (Judged & { live: LiveResource })[],
  next: (entry: Entry, live: LiveResource) => Entry,
): Promise<Applying> {
  const lives = new Map(resources.map(({ identity, live }) => [identityHash(identity), live]));
  const entries = job.ledger.entries.map((entry) => {
    const live = lives.get(identityHash(entry));
    return live ? next(entry, live) : entry;
  });
  job.guard.beforeWrite(job.world.timing.storeTimeout);
  return { ...job, ledger: await saveLedgerLine(job.world, job.scope, job.tenure, job.run.id, job.ledger, { entries }) };
}
