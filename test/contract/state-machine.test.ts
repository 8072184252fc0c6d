import { describe, expect, test } from 'vitest';
import { startLocalStack } from '../../infra/local/stack.ts';
import { unanswered } from '../ports/faults.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryStateMachine, type SendState } from '../ports/memory-state-machine.ts';
import { fates } from '../ports/mortal.ts';
import { deployedEndpoints } from './endpoints.ts';
import { embeddedMachineUnkept, machineUnkeptBy } from './known-differences.ts';
import { flows, machineAt, machineBehind } from './machine-at.ts';
import { stateMachineContract } from './state-machine-contract.ts';
import { sayUnkept } from './unkept.ts';

type Sent = Parameters<SendState>[0];

function inMemory() {
  const clock = manualClock();
  const sent: Sent[] = [];
  return { clock, sent, states: memoryStateMachine((message) => void sent.push(message), clock.now) };
}

stateMachineContract('memory', async () => {
  const { clock, sent, states } = inMemory();
  const fate = fates();
  let group: string | undefined;
  const machine = fate.life().wrap('machine', states.machine, unanswered);
  const asSent = (message: Sent) => ({ format: 2, ...message });
  return {
    machine,
    impatient: machine,
    workSeconds: 86_400,
    async sent() {
      const [message] = sent.splice(0, 1);
      if (!message) throw new Error('no state has sent anything');
      group = message.group;
      return asSent(message);
    },
    group: () => group,
    left: async () => sent.splice(0).map(asSent),
    async ended(name) {
      if (states.open.has(name)) throw new Error(`${name} still waits in ${states.open.get(name)}`);
    },
    loseNext: (method) => fate.plan(0, 'lost', (call) => call === `machine.${method}`),
    pass(seconds) {
      clock.advance(seconds * 1000);
      states.expire();
    },
    stop: async () => {},
  };
});

stateMachineContract(
  'the embedded stack',
  async () => {
    const machine = (definition: string) => {
      const parts = definition.split('CONTROL').flatMap((part, index) => (index === 0 ? [part] : [{ Ref: 'Control' }, part]));
      return { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: { 'Fn::Join': ['', parts] } } };
    };
    const { patient, impatient } = flows('CONTROL');
    const Resources = { Control: { Type: 'AWS::SQS::Queue' }, Approvals: machine(patient), Impatient: machine(impatient) };
    const stack = await startLocalStack({ template: { Resources }, handlers: {} });
    const place = { queueUrl: stack.physical('Control'), patient: stack.physical('Approvals'), impatient: stack.physical('Impatient') };
    const behind = await machineBehind(stack.environment, place);
    return { ...behind, stop: () => behind.stop().then(stack.stop) };
  },
  embeddedMachineUnkept,
);

for (const { name, url } of deployedEndpoints) {
  const unkept = machineUnkeptBy(name);
  sayUnkept(name, 'state machine', unkept);
  stateMachineContract(name, () => machineAt(url), unkept);
}

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

  test('that restarts knows no token and no name', async () => {
    const { sent, states } = inMemory();
    await states.machine.start('run-1-1', input);
    states.restart();
    expect(await states.machine.succeed(sent[0]?.token ?? '', { next: 'guard' })).toBe('gone');
    expect(await states.machine.start('run-1-1', input)).toBe('started');
  });
});
