import type { MemberGraph } from '../../../../shared/drift/placement.ts';
import type { ReaderContext } from '../../../../shared/drift/readers/reading.ts';
import type { DriftRecord, Engine, Read } from '../../../../shared/drift/record.ts';
import type { StackLine } from '../../../../shared/engine/op.ts';
import type { CommandEnd } from '../../../../shared/platform/command.ts';

/** A tool called once in the stack's folder: its arguments, variables beside those of the person's own environment, and another program than the line's. */
export type Call = (args: readonly string[], variables?: Readonly<Record<string, string>>, program?: string) => Promise<CommandEnd>;

/** A stack that is read where it lies in a person's working tree: the folder as it is, nothing initialised, nothing locked, nothing written. */
export interface ToolRead {
  /** The line's id: the member of its records. */
  readonly member: string;
  readonly line: StackLine;
  readonly read: Read;
  /** One address alone. */
  readonly resource?: string;
  readonly context: ReaderContext;
  /** Absolute. */
  readonly folder: string;
  /** Private, removed after the read: a plan file holds values in clear text. */
  readonly scratch: string;
  /** What the tool sees of the person's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly call: Call;
}

/** What a read came to. `unread`: nothing at all could be observed, and why. */
export interface ToolFound {
  readonly engine: Engine;
  readonly read: Read;
  readonly records: readonly DriftRecord[];
  readonly notes: readonly string[];
  readonly unread?: string;
}

/** Where no graph is at hand, the rule alone says where a record stands; a Terraform member's root has the member's name. */
export const graphOf = (member: string): MemberGraph => ({ root: member, has: () => true });
