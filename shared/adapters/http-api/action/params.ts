import { z } from 'zod';
import { LockkeeperError } from '../../../errors/error.ts';
import { secretsIn } from '../../../plan/references.ts';
import { isKeep, type Params, type PlanValue } from '../../../plan/types.ts';
import { apiName, contentType, path, undeclared, variables } from '../resource/params.ts';
import { valueTree } from '../value-tree.ts';

/** The line's own keys of `http.action`: one request, when it is due, and what takes it back. */

const method = z.enum(['POST', 'PUT', 'PATCH', 'DELETE']);

const undo = z.strictObject({
  method: method.optional().meta({ description: 'Left out: `POST`.' }),
  path,
  body: z.record(z.string(), valueTree).optional().meta({ description: 'Nothing of it may be secret: it is kept until it is sent.' }),
});

export const params = z
  .strictObject({
    api: apiName,
    method: method.optional().meta({ description: 'Left out: `POST`.' }),
    path,
    vars: variables.optional(),
    body: z.record(z.string(), valueTree).optional().meta({ description: 'What is sent.' }),
    content_type: contentType.optional(),
    trigger: valueTree.optional().meta({
      description: 'Values that decide when it is due: it is sent when they are others than those it was last sent for. Left out: method, path and body.',
    }),
    idempotency_key: z
      .union([z.literal(true), z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/)])
      .optional()
      .meta({
        description: '`true`, or a header’s name: the API performs requests with the same `Idempotency-Key` once, so that one sent twice is done once.',
      }),
    done_status: z.array(z.int().min(400).max(599)).optional().meta({ description: 'Further statuses, beside those of success, that mean that it is done.' }),
    undo: undo.optional().meta({ description: 'The request that a destroy sends, once this one was sent. Left out: it is forgotten.' }),
  })
  .superRefine(({ path: own, undo: back, vars = {} }, context) => {
    const declared = Object.keys(vars);
    for (const message of undeclared(own, declared, false)) context.addIssue({ code: 'custom', path: ['path'], message });
    for (const message of undeclared(back?.path ?? '', declared, false)) context.addIssue({ code: 'custom', path: ['undo', 'path'], message });
  });

/** @throws LockkeeperError PARAM_INVALID for `keep` anywhere, since nothing is live, and for a secret in what is stored. */
export function judged(given: Params): Params {
  const back = given['undo'];
  if (back !== undefined && secretsIn({ undo: back }).length > 0) throw invalid('`undo` is kept until it is sent, so nothing of it may be a secret.');
  const kept = Object.entries(given).find(([, value]) => hasKeep(value));
  if (kept) throw invalid(`\`${kept[0]}\` holds \`keep\`, and an action has nothing that is live.`);
  return given;
}

function hasKeep(value: PlanValue): boolean {
  if (isKeep(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((inside) => hasKeep(inside as PlanValue));
}

const invalid = (message: string): LockkeeperError => new LockkeeperError({ code: 'PARAM_INVALID', message });
