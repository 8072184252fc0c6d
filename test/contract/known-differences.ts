import type { QueuePromise } from './queues-contract.ts';
import type { MachinePromise } from './state-machine-contract.ts';
import type { Unkept } from './unkept.ts';

export const embeddedMachineUnkept: Unkept<MachinePromise> = {
  'a message of a state has the repository as its group': 'it sends the message alone, and its queue would forget the group',
};

const miniStackMachine: Unkept<MachinePromise> = {
  'a question that runs out is told to the controller, one answered in time is not, and its token is gone':
    'it reads no TimeoutSecondsPath, so that a question waits for ever',
  'an answer that asks without a time ends the execution, and nobody is asked': 'for the same reason the question is asked',
  'of two that complete a token at once one hears that it is gone': 'both may hear that they did it; the state goes on once',
};

/** What the state machine of an endpoint does not keep, by the name that the endpoint gives itself. */
export const machineUnkeptBy = (endpoint: string): Unkept<MachinePromise> => (endpoint.startsWith('MiniStack') ? miniStackMachine : {});

export const memoryQueuesUnkept: Unkept<QueuePromise> = {
  'what SQS refuses of a batch is refused, and the rest is queued': 'it takes whatever it is given',
};

export const fauxqsUnkept: Unkept<QueuePromise> = {
  'a message has its repository as its group': 'it takes the group, and forgets it',
};
