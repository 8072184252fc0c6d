/** What an adapter is tried with, published as `lockkeeper/adapter/contract`: the contract's suite (for vitest), and a provider in memory. */

export { type MemoryApi, memoryApi } from './memory/api.ts';
export { memoryWorld } from './memory/world.ts';
export { describeOpContract, type OpTrial, type TrialWorld } from './op-contract.ts';
