import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Property } from './property.ts';

export type Properties = Readonly<Record<string, Property>>;

/** A resource as the state records it. */
export interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly delete?: boolean;
  readonly retainOnDelete?: boolean;
}

export interface StackState {
  readonly resources: readonly Recorded[];
  readonly outputs: Properties;
  /** URNs of operations that were cut off. */
  readonly pending: readonly string[];
}

/** How this Pulumi misbehaves, and who else is at work. */
export interface Mischief {
  readonly version?: string;
  /** Flags that this release does not know. */
  readonly unknownFlags?: readonly string[];
  /** By the command's first word: what is written, and how it ends, in place of what would be. `bytes`: so much noise. */
  readonly plays?: Readonly<Record<string, { readonly stdout?: string; readonly stderr?: string; readonly exit: number; readonly bytes?: number }>>;
  /** `<op>:<name>`: this step fails; says this. */
  readonly fails?: Readonly<Record<string, string>>;
  /** `<op>:<name>`: the process is killed in the middle of this step, or hangs in it until it is asked to end. */
  readonly dies?: string;
  readonly hangs?: string;
  /** Reads of these names fail, or are never come to. */
  readonly unreadable?: readonly string[];
  readonly unreached?: readonly string[];
  readonly locked?: string;
  /** Before the command of this name is run, these values are set in the world: somebody was at the console meanwhile. */
  readonly meanwhile?: { readonly before: string; readonly name: string; readonly outputs: Properties };
  /** The events of an update leave out those of this name. */
  readonly omits?: string;
  readonly passphrase?: string;
}

/** A backend of one's own with what is live beside it, in one folder: `state`, `world` and `mischief`. */
export interface Backend {
  read(stack: string): StackState | undefined;
  write(stack: string, state: StackState): void;
  world(): Record<string, Properties>;
  setWorld(world: Readonly<Record<string, Properties>>): void;
  readonly mischief: Mischief;
  /** Leaves word for a test that waits. */
  note(name: string): void;
}

export function openBackend(folder: string): Backend {
  const file = (name: string): string => join(folder, `${name}.json`);
  const read = <T>(name: string): T | undefined => (existsSync(file(name)) ? (JSON.parse(readFileSync(file(name), 'utf8')) as T) : undefined);
  const write = (name: string, value: unknown): void => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), JSON.stringify(value));
  };
  const stateName = (stack: string): string => `state/${stack.replaceAll('/', '__')}`;
  return {
    read: (stack) => read(stateName(stack)),
    write: (stack, state) => write(stateName(stack), state),
    world: () => read('world') ?? {},
    setWorld: (world) => write('world', world),
    mischief: read<Mischief>('mischief') ?? {},
    note: (name) => write(name, true),
  };
}
