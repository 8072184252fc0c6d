import type { Code } from '../errors/codes.ts';

/** A kind of YAML file that people write for Lockkeeper: what it is called in messages, what it may weigh, and the codes of its mistakes. */
export interface FileKind {
  /** As in `plan file`. */
  readonly noun: string;
  readonly maxBytes: number;
  readonly codes: {
    /** It is not YAML, or not the YAML that is read here. */
    readonly syntax: Code;
    /** It is YAML and breaks a rule of its format. */
    readonly shape: Code;
    /** It is larger than `maxBytes`, or its aliases expand too far. */
    readonly size: Code;
  };
}
