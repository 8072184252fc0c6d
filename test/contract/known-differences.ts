import type { MachinePromise } from './state-machine-contract.ts';
import type { Unkept } from './unkept.ts';

const miniStackMachine: Unkept<MachinePromise> = {
  'a question that runs out is told to the controller, one answered in time is not, and its token is gone':
    'it reads no TimeoutSecondsPath, so that a question waits for ever',
  'an answer that asks without a time ends the execution, and nobody is asked': 'for the same reason the question is asked',
  'of two that complete a token at once one hears that it is gone': 'both may hear that they did it; the state goes on once',
};

/** What the state machine of an endpoint does not keep, by the name that the endpoint gives itself. */
export const machineUnkeptBy = (endpoint: string): Unkept<MachinePromise> => (endpoint.startsWith('MiniStack') ? miniStackMachine : {});
