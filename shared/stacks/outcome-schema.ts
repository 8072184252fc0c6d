/**
 * What a job may answer. Code that the commit brings runs beside it, providers and programs, so an answer is read like anything that comes from
 * outside: what it says becomes names of objects, items and texts.
 */
import { z } from 'zod';
import { statuses } from '../drift/record.ts';
import type { ToolOutcome } from './tool-work.ts';

const text = z.string().max(4096);
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const fingerprint = z.object({ key: text, mac: z.string().regex(/^[0-9a-f]{64}$/) });
const state = z.object({ lineage: text, serial: z.number() });
const outputs = z.record(z.string(), z.object({ value: scalar.nullable(), sensitive: z.boolean() }));

const change = z.object({
  address: text,
  type: text,
  actions: z.array(z.enum(['none', 'read', 'create', 'update', 'delete', 'import', 'forget'])),
  previousAddress: text.optional(),
  putsBack: z.literal(true).optional(),
  paths: z.array(text),
  replacePaths: z.array(text).optional(),
  before: fingerprint.optional(),
  after: fingerprint.optional(),
  shown: z.array(z.object({ path: text, before: z.unknown(), after: z.unknown() }).partial({ before: true, after: true })).optional(),
});

/** The rest of a record is what its builder makes of it. */
const drift = z.looseObject({ address: text, status: z.enum(statuses) });

const plan = z.object({
  changes: z.array(change),
  drift: z.array(drift),
  state: state.optional(),
  saved: z.object({ bytes: z.base64(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  outputs,
  version: text,
});

const failure = z.object({
  did: z.literal('failed'),
  cause: z.enum([
    ...(['state-moved', 'not-approved', 'plan-altered', 'busy', 'tool-missing', 'tool-too-old', 'wrong-version', 'source-unusable', 'no-backend'] as const),
    ...(['init-failed', 'plan-failed', 'apply-failed', 'not-understood', 'output-too-large', 'timed-out', 'stopped'] as const),
  ]),
  message: text,
  diagnostics: z.array(z.object({ severity: z.enum(['error', 'warning']), kind: text, address: text.optional(), path: text.optional() })),
  lock: z.object({ who: text, since: text, id: text, operation: text }).partial().optional(),
  done: z.array(text).optional(),
  notDone: z.array(text).optional(),
  planned: plan.optional(),
  drift: z.array(drift).optional(),
  state: state.optional(),
});

const applied = z.object({
  did: z.literal('applied'),
  plan: plan.optional(),
  changes: z.array(change),
  differs: z.array(text),
  outputs,
  state: state.optional(),
  resources: z.array(text),
});

const outcome = z
  .object({ format: z.literal(1), words: z.string() })
  .and(z.discriminatedUnion('did', [z.object({ did: z.literal('planned'), plan }), applied, failure]));

/** Undefined for what is none. */
export function outcomeOf(body: string): ToolOutcome | undefined {
  try {
    const { data } = outcome.safeParse(JSON.parse(body));
    return data as ToolOutcome | undefined;
  } catch {
    return undefined;
  }
}
