import type { z } from 'zod';
import type { Objects } from '../ports/objects.ts';
import { open, seal } from '../secrets/seal.ts';
import { closedLetter, type hello, input, letterKey, letterSeal, type Mailbox, privateKeyOf, publicKeyOf } from './mailbox.ts';
import type { ToolOutcome, ToolWork } from './tool-work.ts';

/** The job's end of its mailbox. */
export interface JobMailbox {
  /** What to do, once somebody has said it; `closed`: nobody ever will. */
  input(): Promise<ToolWork | 'closed' | undefined>;
  /** Waits no longer: from here on nobody can hand over anything. Returns what was handed over before, which has to be done. */
  giveUp(): Promise<ToolWork | 'closed'>;
  isCancelled(): Promise<boolean>;
  /** The last thing a job does, after its tool has ended. */
  answer(outcome: ToolOutcome): Promise<void>;
}

/** @param job the runner's id of this process. @param random gives fresh random bytes. */
export interface JobEnd {
  readonly objects: Pick<Objects, 'get' | 'put'>;
  readonly job: string;
  random(count: number): Uint8Array;
}

/**
 * Says hello for this process. Undefined: another process has this token, or the job was ended before it began; there is nothing to do.
 *
 * @throws LockkeeperError STORE_UNREACHABLE
 */
export async function openJobMailbox({ objects, job, random }: JobEnd, box: Mailbox): Promise<JobMailbox | undefined> {
  const own = privateKeyOf(random(32));
  const body = JSON.stringify({ format: 1, key: publicKeyOf(own), job } satisfies z.infer<typeof hello>);
  const said = await objects.put(letterKey(box, 'hello'), body, { ifAbsent: true });
  // The key in it is this process's alone: should the answer have been lost on the way, it is recognised.
  if (!said.stored && (await objects.get(letterKey(box, 'hello')))?.body !== body) return undefined;

  let worker: string | undefined;
  const nonce = () => random(12);
  async function read(): Promise<ToolWork | 'closed' | undefined> {
    const found = await objects.get(letterKey(box, 'input'));
    if (!found) return undefined;
    const letter = input.parse(JSON.parse(found.body));
    if ('closed' in letter) return 'closed';
    worker = letter.key;
    return JSON.parse(open(letterSeal(box, 'input', own, letter.key, nonce), letter.sealed, letterKey(box, 'input'))) as ToolWork;
  }

  return {
    input: read,
    async giveUp() {
      await objects.put(letterKey(box, 'input'), closedLetter, { ifAbsent: true });
      return (await read()) ?? 'closed';
    },
    isCancelled: async () => (await objects.get(letterKey(box, 'cancel'))) !== undefined,
    async answer(outcome) {
      if (worker === undefined) throw new Error('nobody has asked anything of this job');
      const place = letterKey(box, 'result');
      const sealed = seal(letterSeal(box, 'result', own, worker, nonce), JSON.stringify(outcome), place);
      await objects.put(place, JSON.stringify({ format: 1, sealed }), { ifAbsent: true });
    },
  };
}
