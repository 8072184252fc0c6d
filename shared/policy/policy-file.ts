import type { FileKind } from '../yaml/file-kind.ts';

/** Where policy lies: at the root of the repository, read from its default branch alone, whatever commit a run is for. */
export const policyPath = 'lockkeeper.yaml';

/** The name people expect beside the other one. Nothing reads it, and a policy that nothing reads is a mistake. */
export const misspeltPolicyPath = policyPath.replace(/yaml$/, 'yml');

/** `lockkeeper.yaml` as a file: at most 256 KiB. Whatever is wrong with it stops the run, so its mistakes share one code. */
export const policyFile: FileKind = {
  noun: 'policy file',
  maxBytes: 256 * 1024,
  codes: { syntax: 'POLICY_INVALID', shape: 'POLICY_INVALID', size: 'POLICY_INVALID' },
};
