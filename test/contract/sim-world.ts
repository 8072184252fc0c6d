import { opBinder } from '../../shared/adapters/bind.ts';
import { credentialsOf } from '../../shared/engine/line-call.ts';
import type { Op } from '../../shared/engine/op.ts';
import type { ProviderBlock } from '../../shared/plan/types.ts';
import { type Sim, startSim } from '../sim/sim.ts';
import { context, type TrialWorld } from './op-contract.ts';

export const credential = 'sk_live_9aPq2LmX7c';

/** The fake cloud as a world for one op. Nothing waits: the client's pauses are over at once. */
export async function simWorld(
  op: Op,
  provider: ProviderBlock,
  arrange: (sim: Sim) => void = () => {},
  environment = context.environment,
): Promise<TrialWorld & { readonly sim: Sim }> {
  const sim = await startSim();
  arrange(sim);
  const bind = opBinder({
    baseUrls: { NEON_API_URL: sim.urls.neon, VERCEL_API_URL: sim.urls.vercel, CLERK_API_URL: sim.urls.clerk },
    simulatedApis: sim.urls.rest,
    redact: (text) => text.replaceAll(credential, '(secret)'),
    clock: { now: () => Date.now(), sleep: async () => {} },
    timeoutMs: 5_000,
  });
  const credentials = Object.fromEntries(credentialsOf(op, provider).map(({ variable }) => [variable, credential]));
  const call = bind(op, { line: 'line', credentials, provider, context: { ...context, environment }, guard: { beforeWrite: () => {} } });
  return {
    sim,
    call,
    writes: () => sim.writes().length,
    asked: () => sim.requests().map(({ method, path }) => `${method} ${path}`),
    loseNextAnswer: () => void sim.control.rule({ drop: true }),
    answerNonsense: () => void sim.control.rule({ nonsense: 'html' }),
    settle: () => {
      if (sim.state().vercel.projects.some((project) => project.deployments.length > 0)) sim.control.edit('vercel.finish', { sha: context.sha });
    },
    stop: () => sim.stop(),
  };
}
