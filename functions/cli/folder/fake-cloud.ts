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

/** Where the fakes are, and credentials that are none: a real one is never sent to a fake. `secrets`: names the plan refers to. */
export function fakeVariables({ urls }: Pick<Sim, 'urls'>, secrets: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
  const missing = secrets.filter((name) => !environment[name]).map((name) => [name, `simulated-${name.toLowerCase()}`]);
  return {
    ...(Object.fromEntries(missing) as Record<string, string>),
    NEON_API_KEY: 'simulated-neon-key',
    VERCEL_TOKEN: 'simulated-vercel-token',
    CLERK_SECRET_KEY: 'simulated-clerk-key',
    NEON_API_URL: urls.neon,
    VERCEL_API_URL: urls.vercel,
    CLERK_API_URL: urls.clerk,
  };
}
