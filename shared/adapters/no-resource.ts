import type { Op } from '../engine/op.ts';
import { LockkeeperError } from '../errors/error.ts';

const never = (): never => {
  throw new LockkeeperError({ code: 'INTERNAL', message: 'This op keeps no resource: there is nothing to apply or look up.' });
};

/** The parts of the contract that an op without resources has no use for: the engine never asks for any of them. */
export const noResource = {
  credentials: [],
  outputs: {},
  nothingLive: undefined,
  writesEnvironment: () => undefined,
  read: async () => ({ resources: [], outputs: {}, live: undefined }),
  apply: never,
  lookup: async () => undefined,
  destroy: async () => undefined,
} satisfies Partial<Op<undefined>>;
