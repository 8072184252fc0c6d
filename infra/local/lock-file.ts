import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { type Attachment, attach } from './lock/attach.ts';
import { type HolderEndpoint, openHolderEndpoint } from './lock/holder-endpoint.ts';
import { type Lock, type LockRecord, placeLock, readLock, releaseLock } from './lock/lock-record.ts';
import { isAlive, listens, processStart } from './lock/process-start.ts';

export type { Attachment } from './lock/attach.ts';

/** The folder is ours: nobody else opens what lies in it. */
export interface Held {
  readonly held: true;
  readonly port: number;
  /** Tells attached commands where the stack is. Until then they wait. */
  share(environment: Readonly<Record<string, string>>): void;
  /** Commands attached now. */
  attached(): number;
  /** Waits until no command is attached, takes no more, and resolves: now the stack can be stopped. */
  alone(): Promise<void>;
  /** Lets the next process have the folder, also when something is attached still. Call it when the stack has stopped. */
  release(): Promise<void>;
}

/** Somebody else has it, and we use it with them. */
export interface Attached extends Attachment {
  readonly held: false;
  readonly holder: LockRecord;
}

/** Somebody else has it. */
export interface HeldByOther {
  readonly held: false;
  readonly holder: LockRecord;
}

/**
 * Takes the folder unless a living process has it. One lock file in it, `lock.<n>`, names the holder (pid, start, command)
 * and its local port; a holder that died is replaced, by one process even when several notice at once.
 */
export async function acquireFolder(folder: string, { command }: { command: string }): Promise<Held | HeldByOther> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = readLock(folder);
  if (found && (await isHeld(found.record))) return { held: false, holder: found.record };

  const token = randomBytes(16).toString('hex');
  const endpoint = await openHolderEndpoint(token);
  const start = processStart(process.pid);
  const record: LockRecord = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    command,
    port: endpoint.port,
    token,
    ...(start === undefined ? {} : { processStart: start }),
    released: false,
  };
  for (;;) {
    const current = readLock(folder);
    if (current && (await isHeld(current.record))) {
      await endpoint.close();
      return { held: false, holder: current.record };
    }
    const own: Lock = { number: (current?.number ?? 0) + 1, record };
    if (placeLock(folder, own)) {
      return { held: true, ...endpoint, release: () => releaseFolder(folder, own, endpoint) };
    }
  }
}

async function releaseFolder(folder: string, own: Lock, endpoint: HolderEndpoint): Promise<void> {
  releaseLock(folder, own);
  await endpoint.close();
}

/**
 * Takes the folder, or attaches to whoever has it; waits while a holder is leaving.
 *
 * @throws LockkeeperError STATE_FOLDER when a holder neither answers nor leaves for `withinMs`.
 */
export async function acquireOrAttach(folder: string, how: { command: string; withinMs?: number }): Promise<Held | Attached> {
  const end = Date.now() + (how.withinMs ?? 30_000);
  for (;;) {
    const answer = await acquireFolder(folder, how);
    if (answer.held) return answer;
    const attachment = await attach(answer.holder);
    if (attachment) return { held: false, holder: answer.holder, ...attachment };
    if (Date.now() > end) throw unanswered(folder, answer.holder);
    await setTimeout(20);
  }
}

/** Where the system does not tell processes of one id apart, an endpoint that is not there does. */
async function isHeld(record: LockRecord): Promise<boolean> {
  if (record.released || !isAlive(record.pid, record.processStart)) return false;
  return record.processStart !== undefined || (await listens(record.port));
}

function unanswered(folder: string, { pid, startedAt, command }: LockRecord): LockkeeperError {
  const message = `${folder} is in use by process ${pid} (${command}, since ${startedAt}), which does not answer`;
  return new LockkeeperError({ code: 'STATE_FOLDER', message, hint: 'End that process, or name another folder with --state-dir.' });
}
