import { LockkeeperError } from '../errors/error.ts';
import { type Entry, isIntent } from '../ledger/entry.ts';
import { largestLine } from '../ledger/ledger-line.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Applying } from './applying.ts';
import { entryFor, redeployMark } from './inspect.ts';
import type { Inspection, Judged } from './inspecting.ts';
import { isForetold } from './judge.ts';
import type { LiveResource } from './op.ts';
import { originalToKeep } from './original.ts';
import { saveEntries } from './save-entries.ts';

/** Writes what is about to be sent into the ledger: intents for creates, what an update will make of it for updates. */
export async function beginWrites(job: Applying, inspection: Inspection, writes: readonly Judged[]): Promise<Applying> {
  const { world, tenure } = job;
  // Before a create nothing was there to be seen: what a clock that is ahead would take for older is our own all the same.
  const begunAt = world.clock.now() - world.timing.skew;
  const intents = writes.map((resource): Entry => {
    const foretells = resource.change.hash === undefined ? {} : { foretells: fingerprint(world.keys.fingerprint, resource.change.hash) };
    const known = resource.standing.entry;
    const original = originalToKeep(job, inspection, resource);
    const first = original ? { original } : {};
    const { verdict, live } = resource;
    if (verdict.do === 'update' && verdict.adopts && live) return { ...adoption(job, inspection, resource, live), ...foretells, begunAt, ...first };
    if (verdict.do === 'update' && known) {
      const seen = live ? ownHalfDone(world, known, live) : {};
      return { ...known, ...seen, ...foretells, ...redeployMark(job, resource), begunAt: known.begunAt ?? begunAt, updatedBy: job.run.id, ...first };
    }
    const made = { key: resource.change.key, id: '', hash: '', label: resource.change.label };
    const { id: _id, fingerprint: _none, cleanAt: _never, ...entry } = entryFor(job, resource, made, 'intent', tenure.fence);
    // What a provider is at work on may not show yet: when it does, it is older than this attempt, and as old as the first one, whose
    // intent this one takes the place of.
    const since = known !== undefined && isIntent(known) ? known.begunAt : undefined;
    return { ...entry, ...foretells, begunAt: since ?? begunAt };
  });
  job.guard.beforeWrite(world.timing.storeTimeout);
  refuseTooLarge(job, intents);
  return { ...job, ledger: await saveEntries(job, intents) };
}

/**
 * What an earlier attempt wrote, and nobody recorded, was ours by a mark that what is written next takes the place of: it is recorded as it
 * was found, or a death before the next write would leave a thing that nobody knows any more.
 */
function ownHalfDone({ keys }: Applying['world'], known: Entry, live: LiveResource): Pick<Entry, 'fingerprint' | 'recall'> {
  const found = fingerprint(keys.fingerprint, live.hash);
  const isOurs = isIntent(known) || isForetold(known, found);
  return isOurs ? { fingerprint: found, ...(live.recall === undefined ? {} : { recall: live.recall }) } : {};
}

/** What a line takes over is in the ledger as it was found, before anything is sent: from then on it is the line's to finish. */
function adoption(job: Applying, { lift }: Inspection, resource: Judged, live: LiveResource): Entry {
  const by = lift ? { lift: { by: lift.by.name, at: lift.at } } : {};
  return { ...entryFor(job, resource, live, 'adopted', job.tenure.fence), ...by };
}

/** What a record adds to an intent: id, fingerprint and time, in bytes. */
const recordRoom = 300;

/** Before anything is sent: what comes back must have room in the line's item as well. */
function refuseTooLarge({ line, ledger }: Applying, intents: readonly Entry[]): void {
  const entries = [...ledger.entries, ...intents];
  const size = Buffer.byteLength(JSON.stringify(entries)) + entries.length * recordRoom;
  if (size <= largestLine) return;
  const message = `Line ${line.spec.id} would manage ${entries.length} resources in ${Math.ceil(size / 1024)} KB; a line holds ${largestLine / 1024} KB.`;
  throw new LockkeeperError({ code: 'LINE_TOO_LARGE', message });
}
