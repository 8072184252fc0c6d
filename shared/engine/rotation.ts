import type { Entry } from '../ledger/entry.ts';
import type { World } from '../run/world.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import type { Standing } from './evidence.ts';
import type { LiveResource, ResourceChange } from './op.ts';

type Keyed = Pick<World, 'keys'>;

/** The secrets that a change writes, by reference, as fingerprints. Of what is not written nothing is known here. */
function written({ keys }: Keyed, { fields }: ResourceChange): Record<string, Fingerprint> {
  const secrets = fields.flatMap(({ after, hashAfter }) => (after.state === 'secret' && hashAfter !== undefined ? [[after.ref, hashAfter] as const] : []));
  return Object.fromEntries(secrets.map(([ref, hash]) => [ref, fingerprint(keys.fingerprint, hash)]));
}

/**
 * What an entry remembers of the values a run gave its resource: each secret by its reference, so that a rotation shows and a destroy
 * knows what to mask; and the state that was written, where the provider does not show it again.
 */
export function remembered(world: Keyed, change: ResourceChange, made: LiveResource, before: Entry | undefined): Pick<Entry, 'secretFingerprints' | 'wrote'> {
  const secrets = { ...before?.secretFingerprints, ...written(world, change) };
  const unseen = change.kind === 'unchanged' ? before?.wrote : unshown(world, change, made);
  return { ...(Object.keys(secrets).length === 0 ? {} : { secretFingerprints: secrets }), ...(unseen === undefined ? {} : { wrote: unseen }) };
}

const unshown = ({ keys }: Keyed, change: ResourceChange, made: LiveResource): Fingerprint | undefined =>
  change.hash === undefined || change.hash === made.hash ? undefined : fingerprint(keys.fingerprint, change.hash);

/**
 * A change of a resource whose value the provider does not show: none, when what is wanted is what was last written, and nobody has
 * written since. A rotated secret is another value, and so stays a change.
 */
export function comparedWithLastWrite({ keys }: Keyed, change: ResourceChange, live: LiveResource | undefined, { entry, owner }: Standing): ResourceChange {
  if (change.unreadable !== true || change.hash === undefined || !live || owner.by !== 'us') return change;
  if (!entry?.wrote || !entry.fingerprint || entry.foretells || entry.id !== live.id) return change;
  const untouched = compare(entry.fingerprint, fingerprint(keys.fingerprint, live.hash)) === 'same';
  const wanted = compare(entry.wrote, fingerprint(keys.fingerprint, change.hash)) === 'same';
  if (!untouched || !wanted) return change;
  return { key: change.key, kind: 'unchanged', label: live.label, hash: change.hash, fields: [] };
}

/** The secrets of some changes that have another value than when they were last written, and the run that wrote them: for a note (R1.32). */
export function rotationNote(world: Keyed, resources: readonly { readonly change: ResourceChange; readonly standing: Standing }[]): Record<string, string> {
  const rotated = new Map<string, string>();
  for (const { change, standing } of resources) {
    if (change.kind !== 'update' || !standing.entry) continue;
    for (const [ref, now] of Object.entries(written(world, change))) {
      const then = standing.entry.secretFingerprints?.[ref];
      if (then && compare(then, now) === 'different') rotated.set(ref, standing.entry.updatedBy ?? standing.entry.run);
    }
  }
  if (rotated.size === 0) return {};
  return { rotated: [...rotated].map(([ref, run]) => `${ref}, since run ${run}`).join('; ') };
}
