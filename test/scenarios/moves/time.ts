import { z } from 'zod';
import { move } from '../move.ts';
import { settle } from '../stage.ts';

export const time = {
  /** Some minutes pass; nothing else happens. */
  minutes: move(z.number(), async ({ house }, minutes) => {
    house.clock.advance(minutes * 60_000);
    return {};
  }),
  /** Some minutes pass, then the schedule fires: `late`, so many minutes after it was to; `again`, the last event once more. */
  tick: move(
    z.union([z.number(), z.strictObject({ minutes: z.number().default(0), late: z.number().optional(), again: z.literal(true).optional() })]),
    async ({ house }, when) => {
      if (typeof when === 'number') await house.tick(when);
      else await house.tick(when.minutes, { ...(when.late === undefined ? {} : { late: when.late }), ...(when.again ? { again: true } : {}) });
      return {};
    },
  ),
  /** The nightly clean-up. */
  night: move(z.literal(true), async ({ house }) => {
    await house.night();
    return {};
  }),
  /** The messages that lie in the queues are delivered, and whatever comes of them. */
  deliver: move(z.literal(true), async (stage, _input, step) => {
    await settle(stage, step);
    return {};
  }),
} as const;
