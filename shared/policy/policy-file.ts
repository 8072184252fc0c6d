import type { FileKind } from '../yaml/file-kind.ts';

/** Where policy lies: at the root of the repository, read from its default branch alone, whatever commit a run is for. */
export const policyPath = 'lockkeeper.yaml';

/** `lockkeeper.yaml` as a file: at most 256 KiB. Whatever is wrong with it stops the run, so its mistakes share one code. */
export const policyFile: FileKind = {
  noun: 'policy file',
  maxBytes: 256 * 1024,
  codes: { syntax: 'POLICY_INVALID', shape: 'POLICY_INVALID', size: 'POLICY_INVALID' },
};
