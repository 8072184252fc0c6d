import { opBinder } from '../shared/adapters/bind.ts';
import { registry } from '../shared/adapters/registry.ts';
import { assumedRoles, noRolesHere } from '../shared/platform/assumed-roles.ts';
import { byScheme, terminalOnly } from '../shared/platform/by-scheme.ts';
import {
  codebuild,
  dynamoReads,
  dynamoWrites,
  type Environment,
  eventBridge,
  parameterStore,
  s3Reads,
  s3Writes,
  secretsManager,
  sfn,
  sqs,
  sts,
} from '../shared/platform/clients.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { codebuildRunner } from '../shared/platform/codebuild-runner.ts';
import { commandSource } from '../shared/platform/command-source.ts';
import { dynamoTable } from '../shared/platform/dynamo-table.ts';
import { environmentSource } from '../shared/platform/environment-source.ts';
import { eventBus } from '../shared/platform/event-bus.ts';
import { ulids } from '../shared/platform/ids.ts';
import { type Keys, readKeys } from '../shared/platform/keys.ts';
import { jsonLog } from '../shared/platform/log.ts';
import { parameterSource } from '../shared/platform/parameter-store.ts';
import { s3Objects } from '../shared/platform/s3-objects.ts';
import { anySecretSource, secretsManagerSource } from '../shared/platform/secrets-manager.ts';
import { simulatedSource } from '../shared/platform/simulated-source.ts';
import { sqsQueues } from '../shared/platform/sqs-queues.ts';
import { stepFunctions } from '../shared/platform/state-machine.ts';
import type { CodeHost } from '../shared/ports/code-host.ts';
import type { Log } from '../shared/ports/log.ts';
import { createRedactor } from '../shared/redact/redactor.ts';
import type { ControlWorld, JobWorld, Timing, World } from '../shared/run/world.ts';
import type { SecretSource } from '../shared/secrets/source.ts';
import { chatOf } from './chat.ts';
import { codeHostOf } from './code-hosts.ts';
import { allowList } from './github-webhook/allow-list.ts';
import { variable } from './variable.ts';

/** The composition root: what each function's variables make of the ports. Made per invocation; clients and keys are kept per process. */

/** What a function says before it has a world: all that it can hide are its variables. */
export const bareLog = (environment: Environment): Log => hiding(environment).log;

/** The redactor is one invocation's own. */
function hiding(environment: Environment): Pick<World, 'log' | 'redactor'> {
  const redactor = createRedactor();
  redactor.registerEnvironment(environment);
  return { redactor, log: jsonLog(redactor, systemClock, (line) => process.stdout.write(line)) };
}

/** The world of any job. */
export function jobWorld(environment: Environment): JobWorld & Pick<World, 'redactor'> {
  const timing = timingOf(environment);
  const queues = sqsQueues({
    client: sqs(environment),
    control: variable(environment, 'CONTROL_QUEUE_URL'),
    lines: environment['LINES_QUEUE_URL'] ?? '',
    clock: systemClock,
  });
  return {
    table: dynamoTable({
      name: variable(environment, 'TABLE_NAME'),
      writes: dynamoWrites(environment),
      reads: dynamoReads(environment),
      writeTimeout: timing.storeTimeout,
    }),
    queues,
    clock: systemClock,
    ids: ulids(),
    timing,
    ...hiding(environment),
  };
}

/** The world of a line's job. */
export async function lineWorld(environment: Environment): Promise<World> {
  const base = jobWorld(environment);
  const http = { baseUrls: environment, ...simulatedApis(environment), redact: base.redactor.mask, clock: systemClock, timeoutMs: base.timing.httpTimeout };
  return { ...base, ...toolsOf(environment), registry, bindOp: opBinder(http), keys: await keysOf(environment) };
}

/** Where tools run, and what their jobs are given. A template from before there were stacks has none of it. */
function toolsOf(environment: Environment): Pick<World, 'objects' | 'tools' | 'roles' | 'simulated'> {
  const { BUCKET_NAME: bucket, TOOL_PLAN_PROJECT: plan, TOOL_APPLY_PROJECT: apply } = environment;
  if (!bucket || !plan || !apply) return {};
  return {
    ...(environment['SECRETS_SOURCE'] === 'simulated' ? { simulated: true as const } : {}),
    objects: s3Objects({ bucket, writes: s3Writes(environment), reads: s3Reads(environment), clock: systemClock }),
    tools: codebuildRunner({ client: codebuild(environment), projects: { plan, apply }, clock: systemClock }),
    roles: environment['GIT_FOLDER'] ? noRolesHere : assumedRoles(sts(environment)),
  };
}

/** Beside the fake cloud alone, addresses that a plan names are simulated: a variable without the simulated secrets changes nothing. */
function simulatedApis(environment: Environment): { simulatedApis?: string } {
  const address = environment['SIMULATED_APIS_URL'];
  return address !== undefined && environment['SECRETS_SOURCE'] === 'simulated' ? { simulatedApis: address } : {};
}

/** The world of a control step. `codeHost` is GitHub in a deployed stack, git where a person's machine is the host. */
export async function controlWorld(environment: Environment, codeHost: CodeHost = codeHostOf(environment)): Promise<ControlWorld> {
  const world = await lineWorld(environment);
  const chat = chatOf(environment, world);
  return {
    ...world,
    ...(chat ? { chat } : {}),
    objects: s3Objects({ bucket: variable(environment, 'BUCKET_NAME'), writes: s3Writes(environment), reads: s3Reads(environment), clock: systemClock }),
    codeHost,
    secrets: secretSourceOf(environment, world),
    bus: eventBus(eventBridge(environment), variable(environment, 'EVENT_BUS_NAME')),
    machine: stepFunctions(sfn(environment), variable(environment, 'STATE_MACHINE_ARN')),
    // Set by the embedded stack for its functions; the template knows nothing of it.
    stack: environment['EMBEDDED_STACK'] === 'yes' ? 'embedded' : 'deployed',
    // Beside the embedded stack commands are typed with its flag, not with a name.
    ...(environment['STACK_NAME'] && environment['EMBEDDED_STACK'] !== 'yes' ? { stackName: environment['STACK_NAME'] } : {}),
    serves: allowList(environment['REPOSITORIES'] ?? ''),
    variable: (name) => environment[name],
  };
}

/** Where each scheme is read: in AWS for a deployed stack, by variables and commands on a person's machine; beside the fake cloud nothing is real. */
function secretSourceOf(environment: Environment, { redactor, timing }: Pick<World, 'redactor' | 'timing'>): SecretSource {
  const where = environment['SECRETS_SOURCE'];
  if (where === 'simulated') return simulatedSource;
  const prefix = where === 'environment' ? environment['SECRETS_PREFIX'] || 'lockkeeper' : variable(environment, 'SECRETS_PREFIX');
  // On a machine the clients reach the embedded stack, which serves both from its file.
  const aws = { 'aws-sm': anySecretSource(secretsManager(environment), prefix), ssm: parameterSource(parameterStore(environment), prefix) };
  if (where !== 'environment') {
    const refused = { doppler: terminalOnly('doppler', prefix), op: terminalOnly('op', prefix) };
    return byScheme({ env: secretsManagerSource(secretsManager(environment), prefix), ...aws, ...refused });
  }
  const commands = { environment, redactor, timeoutMs: Math.min(30_000, timing.functionTimeout / 2) };
  return byScheme({ env: environmentSource(environment), ...aws, doppler: commandSource('doppler', commands), op: commandSource('op', commands) });
}

/**
 * Times in milliseconds. A provider request and a table request each get a share of the line's time-out, so that several fit
 * into it; 30 s and 5 s at most.
 */
function timingOf(environment: Environment): Timing {
  const seconds = (name: string, fallback: number) => Number(environment[name] ?? fallback) * 1000;
  const leaseTtl = seconds('LEASE_TTL_SECONDS', 900);
  const functionTimeout = seconds('FUNCTION_TIMEOUT_SECONDS', 60);
  return {
    leaseTtl,
    // P3: nine attempts at a line, and five minutes but where the stack's own times are shorter.
    leastLeaseTtl: Math.max(Math.min(300_000, leaseTtl), 9 * seconds('LINE_TIMEOUT_SECONDS', 0)),
    skew: seconds('CLOCK_SKEW_SECONDS', 30),
    functionTimeout,
    storeTimeout: Math.min(5_000, functionTimeout / 2),
    httpTimeout: Math.min(30_000, functionTimeout * 0.75),
  };
}

const keys = new Map<string, Promise<Keys>>();

/** The two keys, read once per process. A read that failed is not kept. */
function keysOf(environment: Environment): Promise<Keys> {
  const ids = { fingerprint: variable(environment, 'FINGERPRINT_KEY_SECRET_ID'), sealing: variable(environment, 'SEALING_KEY_SECRET_ID') };
  const place = JSON.stringify([ids, environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']]);
  const known = keys.get(place) ?? readKeys(secretsManager(environment), ids);
  keys.set(place, known);
  known.catch(() => keys.delete(place));
  return known;
}
