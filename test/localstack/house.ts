/** Lockkeeper as it stands deployed at the endpoint, with the face of the house the story is told in (`test/e2e/house.ts`). */
import { setTimeout } from 'node:timers/promises';
import { webhookAddress } from '../../functions/cli/doctor/webhook-address.ts';
import type { LocalStack } from '../../infra/local/stack.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import { canaries, type House, rests } from '../e2e/house.ts';
import { readRuns } from '../e2e/read-runs.ts';
import type { Sim } from '../sim/sim.ts';
import type { Deployed } from './cdk.ts';
import type { Clients } from './clients.ts';
import { type Endpoint, variablesOf } from './endpoint.ts';
import { type DeployedFunction, invoke } from './functions.ts';
import { depthsOf, queueOutputs } from './queues.ts';

export interface DeployedParts {
  readonly endpoint: Endpoint;
  readonly clients: Clients;
  readonly deployed: Deployed;
  readonly functions: readonly DeployedFunction[];
  readonly sim: Sim;
}

/** `stop` ends nothing: whoever made the parts ends them. */
export function deployedHouse(parts: DeployedParts): House {
  const { clients, deployed, sim } = parts;
  const { outputs } = deployed;
  const { dynamo, s3 } = clients;
  const table = dynamoTable({ name: String(outputs['TableName']), writes: dynamo, reads: dynamo, writeTimeout: 5_000 });
  return {
    stack: stackOf(parts),
    sim,
    table,
    objects: s3Objects({ bucket: String(outputs['BucketName']), writes: s3, reads: s3, clock: systemClock }),
    webhookUrl: webhookAddress(String(outputs['WebhookUrl']), parts.endpoint.url),
    webhookSecret: canaries.WEBHOOK,
    runs: (of) => readRuns(table, of),
    async runOf(commit, when = rests, withinMs = 60_000) {
      const end = Date.now() + withinMs;
      for (;;) {
        const [run] = await readRuns(table, { commit });
        if (run && when(run)) return run;
        if (Date.now() > end) throw new Error(`the run of ${commit.slice(0, 7)} is not there after ${withinMs} ms`);
        await setTimeout(100);
      }
    },
    stop: async () => undefined,
  };
}

/** The stack's face. What only an embedded stack can be asked answers that it cannot. */
function stackOf({ endpoint, clients, deployed, functions }: DeployedParts): LocalStack {
  const byEntry = (entry: string): DeployedFunction => {
    const found = functions.find((one) => one.entry === entry);
    if (!found) throw new Error(`there is no deployed function ${entry}`);
    return found;
  };
  const never = (): never => {
    throw new Error('a deployed stack cannot be asked this');
  };
  const services = ['DYNAMODB', 'S3', 'SQS', 'SECRETS_MANAGER', 'EVENTBRIDGE', 'SFN'];
  return {
    environment: { ...variablesOf(endpoint), ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint.url])) },
    httpUrl: endpoint.url,
    outputs: deployed.outputs,
    functionEnvironment: (entry) => ({ ...byEntry(entry).environment }),
    invoke: (entry, event) => invoke(clients.lambda, byEntry(entry).name, event),
    fire: () => void invoke(clients.lambda, byEntry('schedule').name, {}).catch(() => undefined),
    queueDepths: () => depthsOf(clients.sqs, deployed.outputs),
    idle: async ({ withinMs = 60_000 } = {}) => {
      const end = Date.now() + withinMs;
      for (;;) {
        const depths = await depthsOf(clients.sqs, deployed.outputs);
        const busy = [queueOutputs.control, queueOutputs.lines].filter((name) => (depths[name]?.visible ?? 0) + (depths[name]?.inFlight ?? 0) > 0);
        if (busy.length === 0) return;
        if (Date.now() > end) throw new Error(`${busy.join(' and ')} still hold messages after ${withinMs} ms`);
        await setTimeout(100);
      }
    },
    // An endpoint does not tell what it was asked; the embedded stack counts, and the budgets are held there.
    counts: async () => ({ functions: {}, pollers: {} }),
    transitions: () => 0,
    resetCounts: async () => undefined,
    buildPids: () => [],
    pid: () => undefined,
    events: never,
    physical: never,
    get ports(): never {
      return never();
    },
    stop: async () => undefined,
  };
}
