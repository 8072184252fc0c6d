import type { Effect } from '../approvals/effect.ts';
import type { Entry, Original } from '../ledger/entry.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import { type Holding, remembered } from './intents.ts';
import { openOriginal } from './original.ts';
import { givingBack } from './removal-effects.ts';

/**
 * Gives an adopted resource the value it had before Lockkeeper wrote over it, and says in words what became of it. Only where what is
 * live is still what Lockkeeper wrote: anything else is somebody's, and stays (P4). Repeated after a death it finds the first value there.
 *
 * @param mayWrite whether that is among what people approved, where they were asked; `moved`: it is not, and nothing was written.
 * @returns what a person reads behind the resource's name; for one that was never written over, that it was there before.
 * @throws LockkeeperError when the provider cannot be asked, or SEAL_UNREADABLE: the entry stays, and so does the chance.
 */
export async function giveBack(holding: Holding, entry: Entry, mayWrite: (effect: Effect) => boolean = () => true): Promise<string | 'moved'> {
  const judged = await judgeGiveBack(holding, entry);
  if ('says' in judged) return judged.says;
  if (!mayWrite(givingBack(entry, judged.found))) return 'moved';
  return (await putBack(holding, entry, judged)) ? 'its first value is back' : unread;
}

const unread = 'its first value could not be read, so what was written stays';

/** What giving back comes to by what is live now: nothing to write and why, or what its first value would be written over. */
export async function judgeGiveBack(
  { world, callOf }: Pick<Holding, 'world' | 'callOf'>,
  entry: Entry,
): Promise<{ readonly says: string } | (Call & { readonly live: Live; readonly found: Fingerprint; readonly original: Original })> {
  const { original } = entry;
  if (!original) return { says: 'it was there before' };
  const { op, call } = await callOf(entry);
  const live = await op.lookup(remembered(entry), call);
  if (!live) return { says: 'gone' };
  if (live.moved) return { says: 'moved outside, left as it is' };
  const found = fingerprint(world.keys.fingerprint, live.hash);
  if (compare(original.of, found) === 'same') return { says: original.id === live.id ? 'as it was before' : 'made again outside, left as it is' };
  if (original.id !== live.id || !isOurs(entry, found)) return { says: 'edited outside, left as it is' };
  return original.sealed === undefined || !op.restore ? { says: unread } : { op, call, live, found, original };
}

/** What Lockkeeper wrote, or was about to. */
const isOurs = ({ fingerprint: recorded, foretells }: Entry, found: Fingerprint): boolean =>
  [recorded, foretells].some((ours) => ours !== undefined && compare(ours, found) === 'same');

type Call = Awaited<ReturnType<Holding['callOf']>>;
type Live = NonNullable<Awaited<ReturnType<Call['op']['lookup']>>>;

async function putBack({ world }: Holding, entry: Entry, { op, call, live, original }: Call & { live: Live; original: Original }): Promise<boolean> {
  const previous = openOriginal(world, entry, original);
  if (!previous || !op.restore) return false;
  await op.restore(live, previous, call);
  return true;
}
