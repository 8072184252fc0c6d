import type { z } from 'zod';
import type { Objects } from '../ports/objects.ts';
import type { SealingKey } from '../secrets/keys.ts';
import { open, seal } from '../secrets/seal.ts';
import { cancel, closedLetter, hello, input, letterKey, letterSeal, type Mailbox, publicKeyOf, result, workerKey } from './mailbox.ts';
import { outcomeOf } from './outcome-schema.ts';
import type { ToolOutcome, ToolWork } from './tool-work.ts';

/** The end of a mailbox at which the line's workers are, and whoever ends the job. They hold the stack's key and nothing else. */
export interface WorkerEnd {
  readonly objects: Pick<Objects, 'get' | 'put'>;
  readonly keys: { readonly sealing: SealingKey };
}

/** A letter as its schema has it. Undefined for what is none: the job's own program wrote it, or what ran beside that. */
function parsed<T extends z.ZodType>(schema: T, body: string): z.infer<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/**
 * Who has this token: the runner's id of its process and the process's key, both empty where it says what is no hello; `closed`: nobody, ever.
 * Undefined: nobody yet.
 */
export async function readHello({ objects }: WorkerEnd, box: Mailbox): Promise<{ readonly job: string; readonly key: string } | 'closed' | undefined> {
  const found = await objects.get(letterKey(box, 'hello'));
  if (!found) return undefined;
  const letter = parsed(hello, found.body) ?? { job: '', key: '' };
  return 'closed' in letter ? 'closed' : letter;
}

/** Hands the work over to the process that said hello. It is decided once: what lies there already stands, be it the work or "closed". */
export async function handOver({ objects, keys }: WorkerEnd, box: Mailbox, to: { readonly key: string }, work: ToolWork): Promise<void> {
  const own = workerKey(keys.sealing, box.token);
  const place = letterKey(box, 'input');
  const sealed = seal(
    letterSeal(box, 'input', own, to.key, () => keys.sealing.nonce()),
    JSON.stringify(work),
    place,
  );
  await objects.put(place, JSON.stringify({ format: 1, key: publicKeyOf(own), sealed }), { ifAbsent: true });
}

/** Whether the process has its work. `closed`: it never will. */
export async function readInput({ objects }: WorkerEnd, box: Mailbox): Promise<'given' | 'closed' | undefined> {
  const found = await objects.get(letterKey(box, 'input'));
  if (!found) return undefined;
  const letter = parsed(input, found.body);
  return letter && 'closed' in letter ? 'closed' : 'given';
}

/** Closes a letter unless it is there, and says what stands there now. */
export async function closeLetter({ objects }: WorkerEnd, box: Mailbox, letter: 'hello' | 'input'): Promise<void> {
  await objects.put(letterKey(box, letter), closedLetter, { ifAbsent: true });
}

/** Asks the job to end its tool. Returns since when it has been asked, epoch ms. */
export async function askForEnd({ objects }: WorkerEnd, box: Mailbox, now: number): Promise<number> {
  const put = await objects.put(letterKey(box, 'cancel'), JSON.stringify({ format: 1, at: now }), { ifAbsent: true });
  if (put.stored) return now;
  const found = await objects.get(letterKey(box, 'cancel'));
  return found ? (parsed(cancel, found.body)?.at ?? 0) : now;
}

/**
 * What the job answered, if it has. `unreadable`: what is there is no answer, or is sealed to a key that the stack has no more; whether the job
 * has ended the runner alone can tell, since code of the commit runs beside it.
 */
export async function readResult(end: WorkerEnd, box: Mailbox): Promise<ToolOutcome | 'unreadable' | undefined> {
  const found = await end.objects.get(letterKey(box, 'result'));
  if (!found) return undefined;
  const from = await readHello(end, box);
  if (from === undefined || from === 'closed') return undefined;
  try {
    const { sealed } = result.parse(JSON.parse(found.body));
    const key = letterSeal(box, 'result', workerKey(end.keys.sealing, box.token), from.key, () => end.keys.sealing.nonce());
    return outcomeOf(open(key, sealed, letterKey(box, 'result'))) ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}
