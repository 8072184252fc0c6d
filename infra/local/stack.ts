import { mkdir } from 'node:fs/promises';
import { buildProgram } from './builds/build-process.ts';
import { type Builds, createBuilds } from './builds/builds.ts';
import type { QueueDepth } from './data-plane/queues.ts';
import { type RequestCounts, sumOf } from './data-plane/request-counts.ts';
import { type Emulators, startEmulators } from './emulators.ts';
import { type Bus, type BusEvent, createBus } from './events/bus.ts';
import { createSchedules, type Schedules } from './events/schedules.ts';
import { createTargets, type Targets } from './events/targets.ts';
import { frontDoor } from './http/front-door.ts';
import { type Listening, listenOnLoopback } from './http/loopback.ts';
import { createRoutes } from './http/routes.ts';
import { becomeIdle, type IdleOptions } from './idle.ts';
import { shareProcessEnvironment } from './lambda/environment.ts';
import { createFunctionHost, type FunctionHost, type RunnerFor } from './lambda/function-host.ts';
import { isolated } from './lambda/isolated.ts';
import { inProcess } from './lambda/runner.ts';
import type { LocalPorts, LocalStackOptions } from './options.ts';
import { kinds, kindsByType } from './resources/kinds.ts';
import { createMappings, type Mappings } from './sqs/mappings.ts';
import { createMachines, type Machines } from './states/machines.ts';
import { endpointVariables, type Place } from './template/place.ts';
import { modelOf, type StackModel } from './template/stack-model.ts';
import { templateSchema } from './template/template.ts';
import { unsupported } from './template/unsupported.ts';

export type { LocalPorts, LocalStackOptions } from './options.ts';

/** A running stack. Code talks to it through the ordinary SDK clients, told where by `environment`. */
export interface LocalStack {
  /** Endpoints, region and credentials for any SDK client outside the functions. */
  readonly environment: Readonly<Record<string, string>>;
  readonly httpUrl: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The ports that were taken, to start again on the same ones. */
  readonly ports: Required<LocalPorts>;
  /** What Ref gives for a logical id: a queue's URL, a table's, bucket's or function's name. */
  physical(logicalId: string): string;
  /** Every variable the function of that entry sees. */
  functionEnvironment(entry: string): Record<string, string>;
  /** Invokes a function by entry or logical id and waits for its answer. */
  invoke(entry: string, event: unknown): Promise<unknown>;
  /** Runs a schedule now. */
  fire(scheduleLogicalId: string): void;
  /** AWS requests since the start or the last reset, by caller, then by `<service>.<operation>`. */
  counts(): Promise<RequestCounts>;
  resetCounts(): Promise<void>;
  /** Transitions of the state machines since the start: what Step Functions charges for. */
  transitions(): number;
  /** Every queue's depth, dead-letter queues included, by logical id. */
  queueDepths(): Promise<Readonly<Record<string, QueueDepth>>>;
  /** Resolves when no function or build runs, no execution moves and every queue that feeds a function is empty. @throws Error naming what is left in the end. */
  idle(options?: IdleOptions): Promise<void>;
  /** Process of an isolated function, the one at work first. */
  pid(entry: string): number | undefined;
  /** Processes of the builds that are at work. */
  buildPids(): readonly number[];
  /** Events put on a bus, oldest first. */
  events(): readonly BusEvent[];
  /** Stops everything; running invocations are waited for within a bound, messages in work come back after the next start. */
  stop(): Promise<void>;
}

/** A tool that is asked to end finishes what it has begun, and its job still puts its answer: the bucket is there until then. */
const buildGraceMs = 50_000;

interface Running {
  readonly emulators: Emulators;
  readonly front: Listening;
  readonly functions: FunctionHost;
  readonly mappings: Mappings;
  readonly schedules: Schedules;
  readonly bus: Bus;
  readonly machines: Machines;
  readonly builds: Builds;
  readonly place: Place;
  readonly model: StackModel;
  readonly stop: () => Promise<void>;
}

/**
 * Runs a synthesized template in this process.
 *
 * @throws LockkeeperError TEMPLATE_UNSUPPORTED, with the logical id, for what it does not know; everything started is stopped again.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const template = templateSchema.parse(options.template);
  const log = options.log ?? (() => undefined);
  if (options.folder !== undefined) await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const releaseEnvironment = shareProcessEnvironment();

  let place: Place | undefined;
  let model: StackModel | undefined;
  const find = (reference: string) => model?.find(reference);
  const functions = createFunctionHost(
    runnersOf(options),
    () => (place ? { ...endpointVariables(place), EMBEDDED_STACK: 'yes' } : {}),
    options.environment ?? {},
    log,
  );
  const mappings = createMappings(functions, log);
  const schedules = createSchedules();
  const routes = createRoutes();
  const deliver: { targets?: Targets } = {};
  const bus = createBus({
    check: (owner, target) => deliver.targets?.check(owner, target),
    deliverAll: (targets, event) => deliver.targets?.deliverAll(targets, event),
  });

  const machines = createMachines(log);
  const path = options.buildPath ?? process.env['PATH'] ?? '';
  const builds = createBuilds(buildProgram({ programs: options.programs ?? {}, s3: () => place?.s3 ?? '', path }), bus, log);
  const emulators = await startEmulators(options, bus, machines, builds);
  const front = await listenOnLoopback(frontDoor(routes, functions, log), options.ports?.http);
  const stop = async () => {
    schedules.stop();
    mappings.close();
    await functions.stop(options.stopWithinMs ?? 5000);
    await builds.stop(options.stopWithinMs ?? buildGraceMs);
    await machines.stop();
    await front.close();
    await emulators.dataPlane.endPolls();
    await mappings.ended();
    await emulators.stop();
    releaseEnvironment();
  };

  try {
    const { dataPlane } = emulators;
    place = { dynamodb: dataPlane.dynamodb, sqs: dataPlane.sqs, ...emulators.urls, http: front.url };
    model = modelOf(template, kindsByType, place, options.parameters ?? {});
    const targets = createTargets(find, functions, dataPlane);
    deliver.targets = targets;
    const parts = { ...emulators, functions, mappings, schedules, routes, bus, machines, builds, targets, find };
    for (const kind of kinds) {
      for (const resource of model.resources) if (resource.kind === kind) await kind.create?.(resource, parts);
    }
    await dataPlane.resetCounts();
    mappings.start(dataPlane.sqs);
    if (options.schedules !== false) schedules.start();
    return stackOf({ emulators, front, functions, mappings, schedules, bus, machines, builds, place, model, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

function runnersOf({ handlers, isolated: isolations = [] }: LocalStackOptions): RunnerFor {
  return (spec, environment) => {
    const isolation = isolations.find(({ entry }) => entry === spec.entry);
    if (isolation) return isolated(spec, isolation, environment);
    const load = handlers[spec.entry];
    if (!load) throw unsupported(spec.id, `no handler was given for its entry ${spec.entry}`);
    return inProcess(load, environment);
  };
}

function stackOf(running: Running): LocalStack {
  const { emulators, front, functions, schedules, bus, place, model } = running;
  const { dataPlane, counter } = emulators;
  return {
    environment: endpointVariables(place),
    httpUrl: front.url,
    outputs: model.outputs,
    ports: { ...emulators.ports, dynamodb: portOf(place.dynamodb), sqs: portOf(place.sqs), http: front.port },
    physical: (logicalId) => model.identity(logicalId).ref,
    functionEnvironment: (entry) => functions.variables(entry),
    invoke: (entry, event) => functions.invoke(entry, event),
    fire: (logicalId) => schedules.fire(logicalId),
    counts: async () => sumOf([await dataPlane.counts(), counter.counts()]),
    async resetCounts() {
      counter.reset();
      await dataPlane.resetCounts();
    },
    transitions: () => running.machines.transitions(),
    async queueDepths() {
      const depths = await dataPlane.depths();
      const queues = model.resources.filter(({ type }) => type === 'AWS::SQS::Queue');
      return Object.fromEntries(queues.flatMap(({ id, identity }) => (depths[identity.name] ? [[id, depths[identity.name] as QueueDepth]] : [])));
    },
    idle: (options) => becomeIdle(running, options),
    pid: (entry) => functions.pids(entry)[0],
    buildPids: () => running.builds.pids(),
    events: () => bus.events(),
    stop: once(running.stop),
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
