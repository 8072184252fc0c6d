import type { Problem } from '../errors/error.ts';

/** Whether a problem passes by itself: the event comes back, and nobody is told. */
export const passes = ({ code }: Problem): boolean => /^(INTERNAL|CODE_HOST|STORE_UNREACHABLE|PROVIDER_.*)$/.test(code);
