/** The shape of a stored report: what everybody who shows one relies on. Fields that later versions add are let pass. */
import { z } from 'zod';
import { codes } from '../errors/codes.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { RunKind, RunReport, RunStatus } from '../run/report.ts';
import { driftWords, statusWords } from './words.ts';

/** Every one of them: one that was missing here would be taken for damage. */
const kinds: Readonly<Record<RunKind, true>> = { plan: true, apply: true, destroy: true, prune: true, recover: true, drift: true };
const statuses: Readonly<Record<RunStatus, true>> = {
  complete: true,
  partial: true,
  awaiting: true,
  failed: true,
  rejected: true,
  expired: true,
  cancelled: true,
  superseded: true,
  stale: true,
  'fenced-out': true,
};

const oneOf = (known: Readonly<Record<string, unknown>>) => z.string().refine((word) => Object.hasOwn(known, word));

const text = z.string();
const texts = z.array(text);
const moment = text.refine((value) => !Number.isNaN(Date.parse(value)));
const scalar = z.union([text, z.number(), z.boolean()]);

/** Its hint is looked up by its code, where it has none. */
const problem = z
  .looseObject({
    code: text,
    message: text,
    hint: text.optional(),
    details: z.looseObject({ problems: z.array(z.looseObject({ code: text, message: text })).optional() }).optional(),
  })
  .refine(({ code, hint }) => hint !== undefined || Object.hasOwn(codes, code));

const side = z.union([
  z.looseObject({ state: z.literal('literal'), value: scalar }),
  z.looseObject({ state: z.enum(['pending', 'secret']), ref: text }),
  z.looseObject({ state: z.enum(['sensitive', 'kept']), ref: text.optional() }),
  z.looseObject({ state: z.enum(['absent', 'unshown']) }),
]);

const change = z.looseObject({
  kind: z.enum(['create', 'update', 'delete', 'unchanged']),
  label: text,
  as: z.enum(['import', 'forget', 'move']).optional(),
  fields: z.array(z.looseObject({ path: text, before: side, after: side })),
});

const line = z.looseObject({
  id: text,
  adapter: text,
  op: text,
  status: oneOf(statusWords),
  changes: z.array(change),
  outputs: z.record(text, scalar.nullable()),
  problem: problem.optional(),
  waitingFor: text.optional(),
  waitingOn: text.optional(),
  manual: z.looseObject({ title: text, instructions: text, confirm: text.optional() }).optional(),
  notes: z.record(text, text).optional(),
  earlier: texts.optional(),
});

const drifted = z.looseObject({
  kind: oneOf(driftWords),
  line: text.optional(),
  message: text,
  resource: z.looseObject({ key: text, id: text.optional(), label: text.optional() }),
  accepted: z.looseObject({ until: moment, by: text, reason: text }).optional(),
});

const question = z.looseObject({
  digest: text,
  expiresAt: moment,
  approvers: texts.optional(),
  required: z.number().optional(),
  approvedBy: texts.optional(),
  earlier: z.looseObject({ digest: text, literals: z.array(z.looseObject({ line: text, label: text, path: text, before: side, after: side })) }).optional(),
});

const stop = z.looseObject({
  round: z.number(),
  step: text,
  cause: z.enum(['state', 'drift']),
  approved: text,
  replanned: text.nullable(),
  different: z.array(z.looseObject({ line: text, resource: text, what: z.enum(['new', 'gone', 'changed']) })).optional(),
  moved: z.array(z.looseObject({ address: text, paths: texts })).optional(),
});

const recovery = z.looseObject({
  dry: z.boolean(),
  from: z.looseObject({ run: text, at: moment, fence: z.number() }),
  skipped: z.array(z.looseObject({ version: text, at: moment, why: text })),
  head: z.enum(['restore', 'keep']),
  lines: z.array(
    z.looseObject({
      line: text,
      does: z.enum(['restore', 'keep', 'lost']),
      resources: texts,
      foreign: z.array(z.looseObject({ label: text, owner: text })),
    }),
  ),
});

const report = z.looseObject({
  run: text,
  kind: oneOf(kinds),
  status: oneOf(statuses),
  round: z.number(),
  repository: z.looseObject({ owner: text, name: text }),
  plan: z.looseObject({ name: text, path: text }),
  environment: text,
  scope: text,
  commit: text,
  pullRequest: z.number().optional(),
  problem: problem.optional(),
  lines: z.array(line),
  drift: z.array(drifted),
  warnings: z.array(problem),
  notUndone: texts,
  stays: texts.optional(),
  kept: texts,
  question: question.optional(),
  frozen: z.looseObject({ environment: text, reason: text, until: moment, by: text }).optional(),
  decisions: z.array(z.looseObject({ verdict: z.enum(['approve', 'reject']), person: text, at: moment })).optional(),
  stops: z.array(stop).optional(),
  done: texts.optional(),
  undoes: text.optional(),
  tookOver: text.optional(),
  recovery: recovery.optional(),
  ticked: z.looseObject({ box: text, digest: text, by: text, at: moment }).optional(),
  managed: z.number(),
});

/**
 * A report as it was stored, where it can be shown.
 *
 * @param what the report, for a person. @throws LockkeeperError RECEIPT_CORRUPT, with the place of what is damaged.
 */
export function wholeReport<R extends RunReport>(stored: R, what: string): R {
  const read = report.safeParse(stored);
  if (read.success) return stored;
  const at = read.error.issues[0]?.path.join('.') ?? '';
  throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `${what} is damaged${at === '' ? '' : ` at ${at}`}: it cannot be shown.` });
}
