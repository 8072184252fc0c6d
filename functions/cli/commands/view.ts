import type { Repository } from '../../../shared/ports/code-host.ts';
import type { Place } from '../context/release.ts';
import type { Store } from '../folder/store.ts';
import type { Typed } from '../typed.ts';

/** What a command that only reads looks at. */
export interface View {
  readonly store: Store;
  readonly repository: Repository;
  /** The run it was asked about: an id, or its beginning. */
  readonly run: string | undefined;
  /** The plans it was asked about: digests, or their beginnings. */
  readonly digest?: string | undefined;
  readonly other?: string | undefined;
  /** The flags by which what is printed finds the same state. */
  readonly typed: Typed;
  /** The environments that the plan file at hand knows; absent where there is none to ask. */
  readonly declared?: readonly string[];
  /** The scope it is about; only known where it is needed. */
  readonly place?: ScopePlace;
}

export interface ScopePlace extends Place {
  /** Name of the plan. */
  readonly plan: string;
  /** The scope as a key, and as a path in the bucket. */
  readonly key: string;
  readonly path: string;
}
