import type { ProviderBlock, ReleaseContext } from 'lockkeeper/adapter';
import { context, type TrialWorld } from '../op-contract.ts';
import type { MemoryApi } from './api.ts';

/** A provider in memory as a world for the contract's suite. */
export function memoryWorld(api: MemoryApi, provider: ProviderBlock, release: Partial<ReleaseContext> = {}): TrialWorld {
  return {
    call: { http: api, provider, context: { ...context, ...release }, now: () => 1_767_225_600_000 },
    writes: () => api.asked.filter((request) => !request.startsWith('GET ')).length,
    asked: () => api.asked,
    loseNextAnswer: () => {
      api.fault = 'lost';
    },
    answerNonsense: () => {
      api.fault = 'nonsense';
    },
    settle: () => {},
    stop: async () => {},
  };
}
