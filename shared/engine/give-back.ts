import type { Entry, Original } from '../ledger/entry.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import { type Holding, remembered } from './intents.ts';
import { openOriginal } from './original.ts';

/**
 * Gives an adopted resource the value it had before Lockkeeper wrote over it, and says in words what became of it. Only where what is
 * live is still what Lockkeeper wrote: anything else is somebody's, and stays (P4). Repeated after a death it finds the first value there.
 *
 * @returns what a person reads behind the resource's name; for one that was never written over, that it was there before.
 * @throws LockkeeperError when the provider cannot be asked, or SEAL_UNREADABLE: the entry stays, and so does the chance.
 */
export async function giveBack(holding: Holding, entry: Entry): Promise<string> {
  const { original } = entry;
  if (!original) return 'it was there before';
  const { op, call } = await holding.callOf(entry);
  const live = await op.lookup(remembered(entry), call);
  if (!live) return 'gone';
  if (live.moved) return 'moved outside, left as it is';
  const found = fingerprint(holding.world.keys.fingerprint, live.hash);
  if (compare(original.of, found) === 'same') return original.id === live.id ? 'as it was before' : 'made again outside, left as it is';
  if (original.id !== live.id || !isOurs(entry, found)) return 'edited outside, left as it is';
  return (await putBack(holding, entry, original, live, op, call)) ? 'its first value is back' : 'its first value could not be read, so what was written stays';
}

/** What Lockkeeper wrote, or was about to. */
const isOurs = ({ fingerprint: recorded, foretells }: Entry, found: Fingerprint): boolean =>
  [recorded, foretells].some((ours) => ours !== undefined && compare(ours, found) === 'same');

type Call = Awaited<ReturnType<Holding['callOf']>>;
type Live = NonNullable<Awaited<ReturnType<Call['op']['lookup']>>>;

async function putBack({ world }: Holding, entry: Entry, original: Original, live: Live, op: Call['op'], call: Call['call']): Promise<boolean> {
  const previous = openOriginal(world, entry, original);
  if (!previous || !op.restore) return false;
  await op.restore(live, previous, call);
  return true;
}
