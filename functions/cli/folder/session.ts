import { setTimeout } from 'node:timers/promises';
import { type Attached, acquireOrAttach, type Held } from '../../../infra/local/lock-file.ts';
import { type LocalStack, startLocalStack } from '../../../infra/local/stack.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { fakeVariables, startFakeCloud } from './fake-cloud.ts';
import { handlers } from './handlers.ts';
import { programs } from './programs.ts';
import { type Store, storeOf } from './store.ts';
import { packagedTemplate, withConcurrency, withoutWorkers } from './template.ts';

/** How a folder's state is to be used. */
export interface SessionOptions {
  /** The state folder; it exists. */
  readonly folder: string;
  /** Who uses it, for others that find it in use. */
  readonly command: string;
  /** `work`: runs go on while the session is open. `look`: nothing is set going. */
  readonly purpose: 'work' | 'look';
  readonly sim: boolean;
  /** Folder of the git repository. */
  readonly gitFolder: string;
  readonly concurrency?: number;
  readonly note: (text: string) => void;
  /** What the emulators say; for debugging. */
  readonly log: (message: string, error?: unknown) => void;
}

/** A folder in use: by a stack in this process, or by one that another command started and we use with it. */
export interface Session {
  readonly holds: boolean;
  readonly store: Store;
  /** When this process began to hold the folder, epoch ms: whatever is older and still at work was left by somebody else. */
  readonly since: number;
  /** Waits for commands that are attached, then stops the stack. */
  close(): Promise<void>;
  /** Stops it now; attached commands take the folder over. */
  abandon(): Promise<void>;
}

/** Tells attached commands that no run goes on here. */
const lookingOnly = 'LOCKKEEPER_LOOKING_ONLY';

/** How long a command waits for one that only looks, ms. */
const patience = 30_000;

/**
 * Takes the folder, or attaches to the command that has it. A command that has something to run waits for one that only looks.
 *
 * @throws LockkeeperError STATE_FOLDER when the folder does not become free; TEMPLATE_UNSUPPORTED.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const end = Date.now() + patience;
  for (;;) {
    const taken = await acquireOrAttach(options.folder, { command: options.command });
    if (taken.held) return hold(taken, options);
    if (options.purpose === 'look' || taken.environment[lookingOnly] === undefined) return use(taken, options);
    taken.detach();
    if (Date.now() > end) throw new LockkeeperError({ code: 'STATE_FOLDER', message: `${options.folder} is still in use by \`${taken.holder.command}\`.` });
    await setTimeout(50);
  }
}

async function hold(held: Held, options: SessionOptions): Promise<Session> {
  const since = Date.now();
  let parts: Parts | undefined;
  try {
    parts = await startParts(options);
  } catch (error) {
    await held.release();
    throw error;
  }
  const { stack, stop } = parts;
  const shared = { ...stack.functionEnvironment('run-controller'), ...(options.purpose === 'look' ? { [lookingOnly]: '1' } : {}) };
  held.share(shared);
  const abandon = async () => {
    await stop();
    await held.release();
  };
  return {
    holds: true,
    store: storeOf(shared),
    since,
    async close() {
      if (held.attached() > 0)
        options.note(`Waiting for ${held.attached() === 1 ? 'the command' : `${held.attached()} commands`} that this folder's stack also runs for.`);
      await held.alone();
      await abandon();
    },
    abandon,
  };
}

function use(attached: Attached, { purpose, note }: SessionOptions): Session {
  const { holder, environment } = attached;
  if (purpose === 'work') {
    note(`\`${holder.command}\` (process ${holder.pid}) runs the stack of this folder: this command runs there too, with the credentials of that process.`);
  }
  const detach = async () => attached.detach();
  return { holds: false, store: storeOf(environment), since: 0, close: detach, abandon: detach };
}

interface Parts {
  readonly stack: LocalStack;
  readonly stop: () => Promise<void>;
}

async function startParts(options: SessionOptions): Promise<Parts> {
  const { folder, purpose, sim, log } = options;
  const cloud = sim && purpose === 'work' ? await startFakeCloud(folder) : undefined;
  const source = cloud ? fakeVariables(cloud) : { SECRETS_SOURCE: 'environment' };
  try {
    const stack = await startLocalStack({
      template: templateFor(options),
      handlers,
      programs,
      folder,
      schedules: purpose === 'work',
      environment: { ...source, GIT_FOLDER: options.gitFolder },
      log,
    });
    const stop = async () => {
      await stack.stop();
      await cloud?.stop();
    };
    return { stack, stop };
  } catch (error) {
    await cloud?.stop();
    throw error;
  }
}

function templateFor({ purpose, concurrency }: SessionOptions) {
  const template = packagedTemplate();
  if (purpose === 'look') return withoutWorkers(template);
  return concurrency === undefined ? template : withConcurrency(template, concurrency);
}
