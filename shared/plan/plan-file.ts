import type { FileKind } from '../yaml/file-kind.ts';

/** `release.plan.yaml` as a file: at most 4 MiB. */
export const planFile: FileKind = {
  noun: 'plan file',
  maxBytes: 4 * 1024 * 1024,
  codes: { syntax: 'PLAN_PARSE', shape: 'PLAN_INVALID', size: 'PLAN_TOO_LARGE' },
};
