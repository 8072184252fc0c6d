import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { approvalStates } from '../../infra/approval-states.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { sfn, sqs } from '../../shared/platform/clients.ts';
import { stepFunctions } from '../../shared/platform/state-machine.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryStateMachine, type SendState } from '../ports/memory-state-machine.ts';
import { stateMachineContract } from './state-machine-contract.ts';

type Sent = Parameters<SendState>[0];

function inMemory() {
  const clock = manualClock();
  const sent: Sent[] = [];
  return { clock, sent, states: memoryStateMachine((message) => void sent.push(message), clock.now) };
}

stateMachineContract('memory', async () => {
  const { sent, states } = inMemory();
  return { machine: states.machine, received: async () => sent.splice(0).map((message) => ({ format: 2, ...message })), stop: async () => {} };
});

stateMachineContract('the embedded stack', async () => {
  const parts = JSON.stringify(approvalStates({ controlQueueUrl: 'CONTROL', partition: 'aws' })).split('CONTROL');
  const definition = parts.flatMap((part, index) => (index === 0 ? [part] : [{ Ref: 'Control' }, part]));
  const Resources = {
    Control: { Type: 'AWS::SQS::Queue' },
    Approvals: { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: { 'Fn::Join': ['', definition] } } },
  };
  const stack = await startLocalStack({ template: { Resources }, handlers: {} });
  const queue = { client: sqs(stack.environment), url: stack.physical('Control') };
  return {
    machine: stepFunctions(sfn(stack.environment), stack.physical('Approvals')),
    async received() {
      await stack.idle();
      const { Messages = [] } = await queue.client.send(new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 10 }));
      for (const { ReceiptHandle } of Messages) await queue.client.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle }));
      return Messages.map(({ Body = '' }) => JSON.parse(Body));
    },
    stop: stack.stop,
  };
});

describe('the state machine in memory', () => {
  const input = { enter: 'ask', run: 'run-1', group: '4711', expiresSeconds: 60 };

  test('tells the controller of a question that ran out, whose token is gone', async () => {
    const { clock, sent, states } = inMemory();
    await states.machine.start('run-1-1', input);
    clock.advance(59_999);
    states.expire();
    expect(states.open.get('run-1-1')).toBe('ask');
    clock.advance(1);
    expect(await states.machine.succeed(sent[0]?.token ?? '', { next: 'guard' })).toBe('gone');
    states.expire();
    expect(sent.map(({ step }) => step)).toEqual(['ask', 'expired']);
    expect(states.open.size).toBe(0);
  });

  test('ends a guard that took a day, and tells nobody', async () => {
    const { clock, sent, states } = inMemory();
    await states.machine.start('run-1-1', { ...input, enter: 'guard' });
    clock.advance(86_400_000);
    states.expire();
    expect([sent.length, states.open.size]).toEqual([1, 0]);
  });

  test('that restarts knows no token and no name', async () => {
    const { sent, states } = inMemory();
    await states.machine.start('run-1-1', input);
    states.restart();
    expect(await states.machine.succeed(sent[0]?.token ?? '', { next: 'guard' })).toBe('gone');
    expect(await states.machine.start('run-1-1', input)).toBe('started');
  });
});
