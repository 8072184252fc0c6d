import { join } from 'node:path';
import { type Sim, startSim } from '../../../test/sim/sim.ts';

/** Long enough that a line is seen waiting for its deployment, short enough that the next command finds it done. */
const buildMs = 1_500;

/** The fake cloud of a state folder: kept there between commands, it knows every project it is asked for, and builds end well. */
export async function startFakeCloud(folder: string): Promise<Sim> {
  const sim = await startSim({ file: join(folder, 'cloud.json') });
  sim.control.set({ neon: { unknownProjects: 'make' }, vercel: { unknownProjects: 'make', builds: 'auto', outcome: 'READY', outcomeMs: buildMs } });
  return sim;
}

/** Where the fakes are. Credentials and secrets are simulated (`SECRETS_SOURCE`): the variables of real ones are covered up as well. */
export function fakeVariables({ urls }: Pick<Sim, 'urls'>): Record<string, string> {
  return {
    SECRETS_SOURCE: 'simulated',
    NEON_API_KEY: 'simulated-neon-key',
    VERCEL_TOKEN: 'simulated-vercel-token',
    CLERK_SECRET_KEY: 'simulated-clerk-key',
    NEON_API_URL: urls.neon,
    VERCEL_API_URL: urls.vercel,
    CLERK_API_URL: urls.clerk,
    SIMULATED_APIS_URL: urls.rest,
  };
}
