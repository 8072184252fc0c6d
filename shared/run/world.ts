import type { BindOp } from '../engine/bind.ts';
import type { OpRegistry } from '../engine/op.ts';
import type { Scalar } from '../plan/types.ts';
import type { Bus } from '../ports/bus.ts';
import type { Chat } from '../ports/chat.ts';
import type { Clock } from '../ports/clock.ts';
import type { CodeHost, Repository } from '../ports/code-host.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queues } from '../ports/queue.ts';
import type { Roles } from '../ports/roles.ts';
import type { StateMachine } from '../ports/state-machine.ts';
import type { Table } from '../ports/table.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { FingerprintKey, SealingKey } from '../secrets/keys.ts';
import type { SecretSource } from '../secrets/source.ts';

/** The template's times, in milliseconds. */
export interface Timing {
  /** How long a lease lives without renewal. */
  readonly leaseTtl: number;
  /** The shortest that policy may set it to; absent: five minutes, or `leaseTtl` where that is shorter. */
  readonly leastLeaseTtl?: number;
  /** How far a worker's clock may be off. */
  readonly skew: number;
  /** Time-out of the function this code runs in; a claim lives five seconds longer. */
  readonly functionTimeout: number;
  /** Time-out of one request to the table. */
  readonly storeTimeout: number;
  /** Time-out of one provider request, body included. */
  readonly httpTimeout: number;
}

/** What every job stands on: items, messages, time. */
export interface JobWorld {
  readonly table: Table;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly timing: Timing;
}

/** What a line's job may touch beyond that: providers through ops, values through keys. */
export interface World extends JobWorld {
  readonly redactor: Redactor;
  readonly registry: OpRegistry;
  readonly bindOp: BindOp;
  readonly keys: { readonly fingerprint: FingerprintKey; readonly sealing: SealingKey };
  /** Where infrastructure tools run, and the bucket through which their jobs are spoken to (P9). */
  readonly tools?: ToolRunner;
  /** Providers and secrets are made up, and what a tool works on would not be: none is run. */
  readonly simulated?: true;
  readonly objects?: Objects;
  /** AWS roles that policy names for stacks. Absent: none can be had. */
  readonly roles?: Roles;
  /** Sensitive outputs that this line's job has seen, whatever comes of it: sealed beside its result, for the redactors of other jobs. */
  readonly seen?: Map<string, Scalar>;
}

/** What a control step may touch beyond that: the bucket, the repository's host, the secret sources. */
export interface ControlWorld extends World {
  readonly objects: Objects;
  readonly codeHost: CodeHost;
  readonly secrets: SecretSource;
  readonly bus: Bus;
  readonly machine: StateMachine;
  /** Absent: no question of this stack is put in a chat. */
  readonly chat?: Chat;
  /** A person's own machine, or an AWS account: told by the stack's configuration. It says whose word counts as a decision. */
  readonly stack: 'embedded' | 'deployed';
  /** What a deployed stack is called: by that name commands are typed for it. */
  readonly stackName?: string;
  /** Whether a repository may start anything here: the allow-list that the webhook keeps to. */
  readonly serves: (repository: Repository) => boolean;
  /** The value of a variable beside Lockkeeper, for provider blocks that may name one; absent: none is set. */
  readonly variable?: (name: string) => string | undefined;
}
