import type { Builds } from '../builds/builds.ts';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { Bus } from '../events/bus.ts';
import type { Schedules } from '../events/schedules.ts';
import type { Targets } from '../events/targets.ts';
import type { Routes } from '../http/routes.ts';
import type { FunctionHost } from '../lambda/function-host.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import type { Vault } from '../secrets/vault.ts';
import type { Mappings } from '../sqs/mappings.ts';
import type { Machines } from '../states/machines.ts';
import type { Place } from '../template/place.ts';

/** What other resources may say about a resource: its physical name, what Ref and Fn::GetAtt give. */
export interface Identity {
  readonly name: string;
  readonly ref: string;
  attribute(name: string): string | undefined;
}

/** A resource before its properties are resolved: an identity may look at single properties only. */
export interface Declared {
  readonly id: string;
  readonly type: string;
  property(name: string): unknown;
}

/** A resource with its properties resolved. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly kind: ResourceKind;
  readonly identity: Identity;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The running parts a resource is created in. */
export interface Parts {
  readonly dataPlane: DataPlane;
  readonly objects: ObjectStore;
  readonly vault: Vault;
  readonly bus: Bus;
  readonly machines: Machines;
  readonly builds: Builds;
  readonly functions: FunctionHost;
  readonly mappings: Mappings;
  readonly routes: Routes;
  readonly schedules: Schedules;
  readonly targets: Targets;
  /** The resource whose ARN, name or Ref this is. */
  find(reference: string): Resource | undefined;
}

/** One kind of resource: one file, one entry in `kinds.ts`. */
export interface ResourceKind {
  readonly types: readonly string[];
  identity(declared: Declared, place: Place): Identity;
  /** Absent: the type is knowingly inert on the embedded stack. */
  create?(resource: Resource, parts: Parts): Promise<void> | void;
}
