import type { z } from 'zod';
import type { StoredRequest } from '../ledger/entry.ts';
import type { Params, ProviderBlock, ReleaseContext, Scalar } from '../plan/types.ts';
import type { StackRoot, Tool } from '../stacks/tool-work.ts';
import type { FieldHashes, ResolvedParams, Side } from './value.ts';

/** One output of an op: there at once, or when an outside event (`deploy`) has happened. */
export interface OutputSpec {
  readonly available: 'immediate' | 'external';
  readonly event?: 'deploy';
  readonly sensitive?: boolean;
  /** Given by the answer to the create alone, and by no later look: sensitive, too. */
  readonly once?: boolean;
  readonly about: string;
}

/**
 * What an op has to know of one resource to find and to remove it when the plan is gone, as plain data: paths, methods, names of fields.
 * Kept in the ledger and in receipts, in clear: never a secret.
 */
export type Recall = ProviderBlock;

/** A variable an adapter needs, and where a person creates its value, where the adapter knows. */
export interface CredentialSpec {
  readonly variable: string;
  readonly createAt?: string;
}

/** Where an op's requests go and what each carries. */
export interface Connection {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One thing at a provider, as an op's read found it. */
export interface LiveResource {
  /** The adapter's name for it, holding every dimension: `env:preview:feat/x:DATABASE_URL`. Never a secret. */
  readonly key: string;
  /** The provider's id. */
  readonly id: string;
  /** SHA-256, hex, of the state that the plan controls. The engine stores it only under a key (HMAC). */
  readonly hash: string;
  readonly label: string;
  /** When the provider says it was created, epoch ms; a mark by which an interrupted create is recognised. */
  readonly createdAt?: number;
  /** When the provider says it was last written, epoch ms; a mark by which an interrupted update is recognised whose value it does not show. */
  readonly changedAt?: number;
  /** Found by its id where its key does not name it: somebody gave it another place, which may be one that people are asked about. Never deleted. */
  readonly moved?: true;
  readonly recall?: Recall;
  /** The line keeps whatever it holds: `hash` says that it is there, and not what it holds. */
  readonly kept?: true;
}

/** What the plan wants of one resource, against what is live. */
export interface ResourceChange {
  readonly key: string;
  readonly kind: 'create' | 'update' | 'unchanged';
  readonly label: string;
  /** What is there is deleted first: a person said so. Set by the engine. */
  readonly replaces?: true;
  /** The hash the resource will have; absent while a value is pending. An intent foretells it. */
  readonly hash?: string;
  /** The provider does not show what is there, so the op calls it an update: the engine compares with what was last written. */
  readonly unreadable?: true;
  readonly fields: readonly FieldChange[];
  /** For its intent: what finds it after a create whose answer was lost. */
  readonly recall?: Recall;
}

/** One changed attribute: its sides for people, and hashes of both values ({@link fieldHashes}) for what is approved. */
export interface FieldChange extends FieldHashes {
  readonly path: string;
  readonly before: Side;
  readonly after: Side;
}

/** A change as it is stored and shown: without hashes, from which a short value could be guessed. */
export type ShownChange = Omit<ResourceChange, 'hash' | 'unreadable' | 'fields' | 'recall' | 'kind'> & {
  /** `delete`: of a removal alone. */
  readonly kind: ResourceChange['kind'] | 'delete';
  readonly fields: readonly ShownField[];
  /** It is there, in no ledger, and written over. */
  readonly adopts?: true;
  /** Of what a stack manages: what becomes of it in the tool's state, alone or before it is updated. */
  readonly as?: 'import' | 'forget' | 'move';
  /** Of one that is made anew: the new one comes first, and what is there is deleted then. */
  readonly createsFirst?: true;
};
export type ShownField = Omit<FieldChange, keyof FieldHashes>;

export type Outputs = Readonly<Record<string, Scalar>>;

export interface Reading<L> {
  readonly resources: readonly LiveResource[];
  /** Immediate outputs that the live state already gives. */
  readonly outputs: Outputs;
  /** The op's own view of what is live, handed to `diff` and `apply`. */
  readonly live: L;
}

/** `done: false`: the provider is still at it; the job comes back after `seconds`. */
export type Applied =
  | {
      readonly done: true;
      readonly resources: readonly LiveResource[];
      readonly created: readonly string[];
      readonly outputs: Outputs;
      readonly notes?: Readonly<Record<string, string>>;
    }
  | { readonly done: false; readonly seconds: number; readonly why: string };

/** What a request needs: method and path below the adapter's base URL. `idempotent` marks a POST or PATCH that may be sent twice. */
export interface ProviderRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** How the body is written; absent: as JSON. */
  readonly encoding?: 'json' | 'form';
  /** Named instead of the usual type of that encoding. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotent?: boolean;
  /** The answer's shape; anything else is PROVIDER_RESPONSE. */
  readonly answer: z.ZodType<T>;
}

/**
 * The one HTTP client, bound to an adapter's base URL, credential, redactor and the job's deadline.
 * Before anything but a GET leaves, the deadline is judged: no write starts unless its time-out ends before it (P1.2).
 *
 * @throws LockkeeperError PROVIDER_AUTH, _NOT_FOUND, _CONFLICT, _INVALID, _TRANSIENT, _TIMEOUT, _RESPONSE, _AGAIN; LOCK_LOST for a passed deadline.
 */
export interface ProviderHttp {
  send<T>(request: ProviderRequest<T>): Promise<T>;
}

/** What every call of an op is given. */
export interface OpCall {
  readonly http: ProviderHttp;
  /** The provider block as the plan has it. */
  readonly provider: ProviderBlock;
  /** The block resolved to the provider's own ids; part of the identity of every resource. */
  readonly identity: Readonly<Record<string, string>>;
  readonly context: ReleaseContext;
  /** Keys whose create an attempt of this line has begun: what is found half-made under one of them is its work, and not there yet. */
  readonly begun?: ReadonlySet<string>;
  now(): number;
}

/**
 * What stood in a resource before a line wrote over it, as the op can put it back. It is sealed in the ledger and shown to nobody:
 * `secret` is masked wherever else it appears, `form` holds what is no secret in any case (a type, a target).
 */
export interface Previous {
  readonly secret: string;
  readonly form?: Readonly<Record<string, Scalar>>;
}

/** One resource as the ledger remembers it: enough to find and delete it without the plan. `id` is absent for an intent. */
export interface Remembered {
  readonly key: string;
  readonly id?: string;
  readonly recall?: Recall;
}

/**
 * One operation of an adapter. The engine knows providers only through this.
 * `read`, `diff`, `lookup`, `awaitExternal` and `list` write nothing; `apply` and `destroy` may be repeated.
 */
export interface Op<L = unknown> {
  readonly adapter: string;
  readonly name: string;
  /** Raised when the meaning of key or hash changes; kept with every ledger entry. */
  readonly version: number;
  readonly credentials: readonly CredentialSpec[];
  /** Further credentials that a provider block names itself. */
  credentialsFor?(provider: ProviderBlock): readonly CredentialSpec[];
  /** Variable that overrides the adapter's base URL, and the default. Absent where `connection` says it. */
  readonly baseUrl?: { readonly variable: string; readonly default: string };
  /**
   * Where requests go and what they carry, for an op whose provider block says so. Such an op reaches public addresses alone.
   *
   * @param credential a credential's value by its variable; throws PROVIDER_AUTH for one that is missing.
   */
  connection?(provider: ProviderBlock, credential: (spec: CredentialSpec) => string): Connection;
  /**
   * What a line uses of its adapter's block (R1.76): another line's part is none of its identity.
   *
   * @param variable the value of a variable where Lockkeeper runs, for blocks that may name one.
   * @throws LockkeeperError PLAN_INVALID when the block lacks that part.
   */
  providerFor?(block: ProviderBlock, params: Params, variable: (name: string) => string | undefined): ProviderBlock;
  /** Shape of the provider block in the plan file. */
  readonly provider: z.ZodType;
  /** Shape of the line's own keys in the plan file; value forms allowed where `value(…)` stands. */
  readonly params: z.ZodType;
  readonly outputs: Readonly<Record<string, OutputSpec>>;
  /** Further outputs that a line's own parameters declare. */
  outputsFor?(params: Params): Readonly<Record<string, OutputSpec>>;
  /** Parameters that make resource keys (first path segment): while one is pending, nothing of the line can be read. */
  readonly keyParams: readonly string[];
  /** What `read` calls live where nothing is there. A line whose resources have no name yet is compared with it. */
  readonly nothingLive: L;
  /** Fills what the line leaves out. Throws PARAM_INVALID for combinations the schema cannot express. */
  defaults(params: Params, context: ReleaseContext): Params;
  /** The environment the line writes, judged from its own parameters; undefined where the op has no notion of it. */
  writesEnvironment(params: Params, provider: Params, context: ReleaseContext): string | undefined;
  /** Resolves the provider block to ids: a project given by name or by id is one project. Once a run and block. */
  identity(call: Omit<OpCall, 'identity'>): Promise<Record<string, string>>;
  /**
   * The object whose other parts other lines write as well, as a key beside those of resources: each writes it whole, so one at a time does, and
   * reads it again before (R1.54). Across scopes and environments. Never a secret.
   */
  lockOn?(params: ResolvedParams, call: Pick<OpCall, 'provider' | 'identity' | 'context'>): string;
  read(params: ResolvedParams, call: OpCall): Promise<Reading<L>>;
  /** Pure. */
  diff(params: ResolvedParams, reading: Reading<L>, context: ReleaseContext): readonly ResourceChange[];
  /** Makes `changes` (the creates and updates) real. Every value is known. A create refused with "exists" throws PROVIDER_CONFLICT with details.exists = true. */
  apply(params: ResolvedParams, reading: Reading<L>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied>;
  /** What is live of one remembered resource, by id, or by key for an intent. */
  lookup(resource: Remembered, call: OpCall): Promise<LiveResource | undefined>;
  /** Absent is success. */
  destroy(resource: LiveResource, call: OpCall): Promise<void>;
  /** What a resource holds now, out of what was read; undefined where the provider does not show it. Absent where nothing can be written over. Pure. */
  capture?(key: string, reading: Reading<L>, params: ResolvedParams): Previous | undefined;
  /** Puts back what `capture` told of this very resource. May be repeated. */
  restore?(resource: LiveResource, previous: Previous, call: OpCall): Promise<void>;
  /** External outputs, or undefined: not yet. Throws EXTERNAL_FAILED when it never will. */
  awaitExternal?(params: ResolvedParams, call: OpCall): Promise<Outputs | undefined>;
  /** There for an op whose writes take hold only where something is deployed anew (P8). */
  readonly redeploy?: RedeployOp;
  /** What lies where the line could own something: for unmanaged drift. */
  list?(params: ResolvedParams, call: OpCall): Promise<readonly LiveResource[]>;
  /** Parameters that what `list` finds depends on: a run asks once for lines that agree in them. Absent: on any. */
  readonly listParams?: readonly string[];
  /** Lines under which the resources of these keys stay as they are; a key that no line can hold is in none. Pure. */
  adopt?(keys: readonly string[]): readonly AdoptedLine[];
  /** There for an op that stands for a person's work. */
  readonly manual?: ManualOp;
  /** There for an op that sends one request. */
  readonly action?: ActionOp;
  /** There for an op whose line is a whole stack of an infrastructure tool. */
  readonly stack?: StackOp;
}

/** What an op says that stands for a stack. Nothing is sent for it: a tool runs, and of the rest of its contract the engine uses `identity` alone. */
export interface StackOp {
  /** Whether every plan of its tool reads what is live. Where not, one that was not asked for drift says nothing of it. */
  readonly readsLive: boolean;
  /** @throws LockkeeperError PARAM_INVALID. Values that are pending are left out of `variables`: such a line is not planned yet. */
  of(params: ResolvedParams): StackLine;
}

/** One stack, as its line has it. */
export interface StackLine {
  readonly tool: Tool;
  /** Exact; absent: whatever is there. */
  readonly version?: string;
  readonly root: StackRoot;
  readonly variables: Readonly<Record<string, Scalar>>;
  /** Which of the variables are secret. */
  readonly secretVariables: readonly string[];
}

/**
 * What is deployed anew after writes of several lines, once for all of them. The engine remembers in the ledger what is due; `run` may be
 * called again for the same writes.
 */
export interface RedeployOp {
  /** Which of the account's deployments has the line's writes; undefined: none. From what stands in the file. Never a secret. */
  group(params: Params, context: ReleaseContext): string | undefined;
  /**
   * Starts a deployment where the newest one of the run's commit is older than the writes, by the provider's own times. True: there is one
   * that was asked for after them, by this call or an earlier one.
   *
   * @param written what was written and not deployed since; some of it may be gone.
   */
  run(written: readonly Remembered[], group: string, call: OpCall): Promise<boolean>;
  /** The op's external outputs, which are the deployment's; else as `awaitExternal`. */
  outputs(group: string, call: OpCall): Promise<Outputs | undefined>;
}

/**
 * A line that takes over what was found as it is (R0.3).
 * `id`: what it may be called; whoever writes it down makes it unique. `keys`: the resources it holds.
 */
export interface AdoptedLine {
  readonly id: string;
  readonly params: Params;
  readonly keys: readonly string[];
}

/** A step that a person does, as the plan file tells it: Markdown with every value put in. Never a secret. */
export interface Step {
  /** One line; the step's identity. */
  readonly title: string;
  readonly instructions: string;
  /** What a destroy asks a person to do. Absent: the step is forgotten. */
  readonly undo?: string;
}

export type { StoredRequest } from '../ledger/entry.ts';

/** What an op says that stands for a person's work. Nothing is sent for it: of the rest of its contract, the engine uses `diff` alone. */
export interface ManualOp {
  /** @throws LockkeeperError PARAM_INVALID; SECRET_IN_IDENTITY for a sensitive value anywhere. */
  step(params: ResolvedParams): Step;
  /** Whether the provider shows the step as done; undefined where the line does not say how to look. */
  seen?(params: ResolvedParams, call: OpCall): Promise<boolean | undefined>;
}

/**
 * What an op says that sends one request instead of keeping a resource (R1.56). It is judged against the ledger alone: `read` is never
 * called. `diff` gives one change whose hash is that of the trigger.
 */
export interface ActionOp {
  /** @param key the same for every attempt at the same sending: goes into the header the line names, where the API takes one. */
  send(params: ResolvedParams, call: OpCall, key: string): Promise<void>;
  /** The request that a destroy sends; undefined where there is none. */
  undo(params: ResolvedParams): StoredRequest | undefined;
  sendUndo(undo: StoredRequest, call: OpCall, key: string): Promise<void>;
}

/** Finds ops; the composition root decides which exist. */
export interface OpRegistry {
  find(adapter: string, op: string): Op | undefined;
  adapters(): readonly string[];
  ops(adapter: string): readonly string[];
}
