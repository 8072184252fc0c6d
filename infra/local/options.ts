import type { IsolatedFunction } from './lambda/isolated.ts';
import type { HandlerLoader } from './lambda/runner.ts';
import type { LocalLog } from './log.ts';
import type { SynthesizedTemplate } from './template/template.ts';

/** Ports to listen on; a free one where none is given. A second start in a process whose modules keep their clients wants the first one's. */
export interface LocalPorts {
  readonly dynamodb?: number;
  readonly sqs?: number;
  readonly s3?: number;
  readonly aws?: number;
  readonly http?: number;
}

export interface LocalStackOptions {
  /** CloudFormation template as CDK v2 synthesizes it; it is checked at the start. */
  readonly template: SynthesizedTemplate;
  /** Handlers by entry name: the value of `lockkeeper:entry` in a function's metadata. */
  readonly handlers: Readonly<Record<string, HandlerLoader>>;
  /** Values of template parameters; a parameter not named has its default. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Keeps table, queues, bucket and secrets below this folder; in memory when absent. One process at a time: see lock-file.ts. */
  readonly folder?: string;
  /** Variables that every function sees; they win over the template's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Values of secrets by name; they replace what is stored. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Entries that run in processes of their own instead of in this one. */
  readonly isolated?: readonly IsolatedFunction[];
  /** What builds run, by the name that their project has (`lockkeeper:program` in its metadata): a file for node. */
  readonly programs?: Readonly<Record<string, { readonly file: string; readonly execArgv?: readonly string[] }>>;
  /** Folders in which builds look for programs, as `PATH` has them; those of this process where absent. */
  readonly buildPath?: string;
  readonly ports?: LocalPorts;
  /** False: no timers; schedules run by `fire` alone. */
  readonly schedules?: boolean;
  readonly log?: LocalLog;
  /** How long `stop` waits for running invocations (default 5,000), and then for builds that it has asked to end (default 50,000), in milliseconds. */
  readonly stopWithinMs?: number;
}
