import type { Op } from './shared/engine/op.ts';

/**
 * Ops beside those that Lockkeeper brings. Import yours and name them here, then build: the functions, the command line and the plan's JSON
 * Schema all take them from this list (docs/adapters.md). No later version changes this file.
 */
export const adapters: readonly Op[] = [];
