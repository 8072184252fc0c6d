/** The plan file after parsing: what `release.plan.yaml` says, before anything is resolved. */

import type { Position } from '../errors/error.ts';
import type { Path, PositionOf } from '../yaml/place.ts';

export type Scalar = string | number | boolean;

/** One value of a line, in the forms the file allows. `null` is allowed nowhere. */
export type PlanValue = Scalar | FromForm | TextForm | SecretForm | KeepForm | readonly PlanValue[] | { readonly [key: string]: PlanValue };

/** `{ from: line.output }`: another line's output; implies order. */
export interface FromForm {
  readonly from: string;
}
/**
 * Text with outputs in it, as a run works on it: made of a text with `${lines.…}` when its line is activated. `from` is the text as it is
 * written, with every variable filled in. No file can hold one: there, nothing stands beside `from`.
 */
export interface TextForm {
  readonly from: string;
  readonly parts: readonly (string | FromForm)[];
}
/** `{ secret: env://NAME }`: resolved when the run is prepared. */
export interface SecretForm {
  readonly secret: string;
}
/** `{ keep: true }`: whatever is live stays. */
export interface KeepForm {
  readonly keep: true;
}

/** `TextForm`s have a `from` as well: ask {@link isText} first where there may be one. */
export const isFrom = (value: unknown): value is FromForm => isMap(value) && typeof value['from'] === 'string';
export const isText = (value: unknown): value is TextForm => isFrom(value) && Array.isArray((value as Partial<TextForm>).parts);
export const isSecret = (value: unknown): value is SecretForm => isMap(value) && typeof value['secret'] === 'string';
export const isKeep = (value: unknown): value is KeepForm => isMap(value) && value['keep'] === true;
const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export type Params = { readonly [name: string]: PlanValue };

/** A provider block without value forms: what it names lies in the file as it is. */
export type BlockValue = Scalar | readonly BlockValue[] | { readonly [key: string]: BlockValue };
export type ProviderBlock = { readonly [key: string]: BlockValue };

/** A way through the file, as in `['changes', 3, 'values', 'DATABASE_URL']`. */
export type PlanPath = Path;

/** One entry of `changes`. */
export interface PlanLine {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  /** Absent: every environment. */
  readonly environments?: readonly string[];
  readonly dependsOn: readonly string[];
  readonly params: Params;
  readonly at: Position;
}

export interface Plan {
  readonly version: 1;
  /** Declared, or derived: `preview`, `production` and every name a line uses. */
  readonly environments: readonly string[];
  /** Adapter → provider block. */
  readonly providers: Readonly<Record<string, Params>>;
  readonly lines: readonly PlanLine[];
  /** SHA-256 of the file's bytes, hex. */
  readonly hash: string;
  /** `changes` is counted as `lines` is. */
  readonly positionOf: PositionOf;
}

/** What `${ctx.…}` and the ops' defaults draw on. */
export interface ReleaseContext {
  readonly environment: string;
  /** The scope's readable name: `pr-42`, `branch-x`, `main`. */
  readonly scope: string;
  readonly branch: string;
  readonly sha: string;
  readonly pullRequest: number | undefined;
}

/** A line as one run will work on it: filtered, interpolated, ordered, its op known to exist. */
export interface ActiveLine {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  readonly params: Params;
  /** Provider block of the adapter, interpolation not applied; narrowed to what this line uses of it, where its op can (R1.76). */
  readonly provider: Params;
  /** Ids of the lines this one needs: references and `depends_on`, sorted. */
  readonly needs: readonly string[];
  /** Secret references the line uses, sorted. */
  readonly secrets: readonly string[];
  /** Variables whose values its provider block names as credentials. */
  readonly credentials?: readonly string[];
}
