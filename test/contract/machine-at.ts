/** The approval flow on Step Functions or what stands for it, seen from outside: its queue is read, its executions are looked at. */
import { CreateStateMachineCommand, DeleteStateMachineCommand, DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { CreateQueueCommand, DeleteMessageCommand, DeleteQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import { approvalStates } from '../../infra/approval-states.ts';
import { type Environment, sfn, sqs } from '../../shared/platform/clients.ts';
import { stepFunctions } from '../../shared/platform/state-machine.ts';
import type { StateMachine } from '../../shared/ports/state-machine.ts';
import { emulated } from './endpoints.ts';
import { losingProxy } from './losing-proxy.ts';
import type { StateMachineUnderTest } from './state-machine-contract.ts';

/** How long an emulator may take for what takes milliseconds. */
const patience = { timeout: 30_000, interval: 20 };

/** Guard and re-plan of the impatient flow wait so long. */
export const workSeconds = 1;

/** The approval flow, and the same with less patience. */
export function flows(controlQueueUrl: string): { readonly patient: string; readonly impatient: string } {
  const patient = JSON.stringify(approvalStates({ controlQueueUrl, partition: 'aws' }));
  return { patient, impatient: patient.replaceAll('"TimeoutSeconds":86400', `"TimeoutSeconds":${workSeconds}`) };
}

const operations = { start: 'StartExecution', succeed: 'SendTaskSuccess' } as const;

export interface MachinePlace {
  readonly queueUrl: string;
  /** ARNs of the two flows. */
  readonly patient: string;
  readonly impatient: string;
}

/** What the contract looks at, of machines that are there, with a proxy before Step Functions that loses answers. */
export async function machineBehind(environment: Environment, place: MachinePlace): Promise<StateMachineUnderTest> {
  const proxy = await losingProxy(environment['AWS_ENDPOINT_URL_SFN'] || environment['AWS_ENDPOINT_URL'] || '');
  const clients = { sfn: sfn({ ...environment, AWS_ENDPOINT_URL_SFN: proxy.url }), sqs: sqs(environment) };
  const waiting: { readonly message: unknown; readonly group: string | undefined }[] = [];
  let group: string | undefined;
  const started = new Map<string, string>();

  async function receive(WaitTimeSeconds: number): Promise<void> {
    const request = { QueueUrl: place.queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds, MessageSystemAttributeNames: ['MessageGroupId' as const] };
    const { Messages = [] } = await clients.sqs.send(new ReceiveMessageCommand(request));
    for (const { Body = '', Attributes, ReceiptHandle } of Messages) {
      waiting.push({ message: JSON.parse(Body), group: Attributes?.MessageGroupId });
      await clients.sqs.send(new DeleteMessageCommand({ QueueUrl: place.queueUrl, ReceiptHandle }));
    }
  }

  function known(arn: string): StateMachine {
    const machine = stepFunctions(clients.sfn, arn);
    const start: StateMachine['start'] = (name, input) => {
      started.set(name, `${arn.replace(':stateMachine:', ':execution:')}:${name}`);
      return machine.start(name, input);
    };
    return { ...machine, start };
  }

  return {
    machine: known(place.patient),
    impatient: known(place.impatient),
    workSeconds,
    async sent() {
      await vi.waitFor(async () => {
        if (waiting.length === 0) await receive(1);
        expect(waiting).not.toEqual([]);
      }, patience);
      const taken = waiting.shift();
      group = taken?.group;
      return taken?.message;
    },
    group: () => group,
    async left() {
      await receive(0);
      return waiting.splice(0).map(({ message }) => message);
    },
    async ended(name) {
      await vi.waitFor(async () => {
        const { status } = await clients.sfn.send(new DescribeExecutionCommand({ executionArn: started.get(name) }));
        expect(status).not.toBe('RUNNING');
      }, patience);
    },
    loseNext: (method) => proxy.next('answer lost', ({ headers }) => headers['x-amz-target'] === `AWSStepFunctions.${operations[method]}`),
    pass: () => undefined,
    stop: proxy.stop,
  };
}

/** A queue and both flows of their own at an endpoint, removed afterwards. */
export async function machineAt(endpoint: string): Promise<StateMachineUnderTest> {
  const stamp = `contract-${Date.now()}`;
  const environment = { ...emulated, AWS_ENDPOINT_URL: endpoint };
  const clients = { sfn: sfn(environment), sqs: sqs(environment) };
  const { QueueUrl = '' } = await clients.sqs.send(new CreateQueueCommand({ QueueName: stamp }));
  const definitions = flows(QueueUrl);
  const create = async (name: string, definition: string) => {
    const roleArn = 'arn:aws:iam::000000000000:role/contract';
    return (await clients.sfn.send(new CreateStateMachineCommand({ name, definition, roleArn }))).stateMachineArn ?? '';
  };
  const patient = await create(stamp, definitions.patient);
  const impatient = await create(`${stamp}-impatient`, definitions.impatient);
  const behind = await machineBehind(environment, { queueUrl: QueueUrl, patient, impatient });
  return {
    ...behind,
    async stop() {
      await behind.stop();
      for (const stateMachineArn of [patient, impatient]) await clients.sfn.send(new DeleteStateMachineCommand({ stateMachineArn }));
      await clients.sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
}
