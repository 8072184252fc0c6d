import { z } from 'zod';
import { isRule } from './glob.ts';

export const providers = ['neon', 'vercel', 'clerk', 'github', 'rest', 'slack'] as const;
export type Provider = (typeof providers)[number];

const pattern = z.string().refine(isRule, { error: 'must read `METHOD /glob`, for example `POST /projects/*/branches`' });

const fail = z.strictObject({
  /** HTTP status of the answer; the body has the provider's own error shape. */
  status: z.int().min(400).max(599).default(503),
  /** Sent as Retry-After: a number of seconds, or a text (an HTTP date) as it is. */
  retryAfter: z.union([z.number().min(0), z.string().min(1)]).optional(),
  message: z.string().optional(),
  code: z.string().optional(),
});

/** How a broken answer looks: a web page, JSON cut in the middle, no body, JSON of another shape, or `null`. */
export const nonsenses = ['html', 'truncated', 'empty', 'shape', 'null'] as const;
export type Nonsense = (typeof nonsenses)[number];

/**
 * One thing that happens to the next requests. Without `on` it concerns every write (no GET or HEAD). `times` requests meet it
 * (absent: one for an action, every one for a latency) after `skip` that pass. A request meets at most one action, and in this
 * order: hold, hang, kill, drop, reset, nonsense, fail.
 */
export const ruleSchema = z
  .strictObject({
    provider: z.enum(providers).optional(),
    on: z.union([pattern, z.array(pattern).min(1)]).optional(),
    times: z.int().min(1).optional(),
    skip: z.int().min(0).optional(),
    /** Milliseconds before anything else happens to the request. */
    latencyMs: z.number().min(0).optional(),
    /** Parked before it is performed, until `release`. */
    hold: z.literal(true).optional(),
    /** Never performed and never answered. */
    hang: z.literal(true).optional(),
    /** Performed, then this process gets SIGKILL, then the socket is destroyed. */
    kill: z.int().min(2).optional(),
    /** Performed, then the socket is destroyed. */
    drop: z.literal(true).optional(),
    /** Not performed; the socket is destroyed. */
    reset: z.literal(true).optional(),
    /** Performed, then answered 200 with a body nobody can use. */
    nonsense: z.enum(nonsenses).optional(),
    /** Not performed; answered with an error. */
    fail: fail.optional(),
  })
  .refine((rule) => effects.filter((effect) => rule[effect] !== undefined).length === 1, {
    error: 'needs exactly one of latencyMs, hold, hang, kill, drop, reset, nonsense, fail',
  });

const effects = ['latencyMs', 'hold', 'hang', 'kill', 'drop', 'reset', 'nonsense', 'fail'] as const;

export type RuleInput = z.input<typeof ruleSchema>;
export type Rule = z.output<typeof ruleSchema>;
