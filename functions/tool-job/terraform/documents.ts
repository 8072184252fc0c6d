import { anyGraph } from '../../../shared/drift/placement.ts';
import { inputBytes } from '../../../shared/drift/readers/input.ts';
import type { Json } from '../../../shared/drift/readers/json.ts';
import { parseJson } from '../../../shared/drift/readers/json-text.ts';
import { inside, isThere, whole } from '../../../shared/drift/readers/place.ts';
import type { ReaderContext } from '../../../shared/drift/readers/reading.ts';
import { shownOf } from '../../../shared/drift/readers/show.ts';
import { markState, objectsOfState } from '../../../shared/drift/readers/terraform.ts';
import { markPlan, readTerraformPlan } from '../../../shared/drift/readers/terraform-plan.ts';
import { readTerraformState } from '../../../shared/drift/readers/terraform-state.ts';
import { UnreadableError } from '../../../shared/drift/readers/unreadable.ts';
import type { DriftFields } from '../../../shared/drift/record.ts';
import { NotUnderstoodError } from '../../../shared/stacks/not-understood.ts';
import { changesOfPlan } from '../../../shared/stacks/terraform/changes.ts';
import type { StackChange } from '../../../shared/stacks/tool-work.ts';
import type { Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';

/** What `show -json` of a plan comes to. */
export interface PlanDocument {
  readonly json: Json;
  readonly changes: readonly StackChange[];
  readonly drift: readonly DriftFields[];
}

/** @throws ToolFailed `not-understood`, with the address where there is one. */
export function readPlan(bytes: Uint8Array, place: Workplace): PlanDocument {
  return understood(() => {
    const json = parseJson(inputBytes(bytes));
    markPlan(whole(json), { mark: place.words.hide });
    const { key, show } = contextOf(place);
    const engine = place.work.tool === 'tofu' ? 'tofu' : 'terraform';
    return { json, changes: changesOfPlan(json, { key, show }), drift: readTerraformPlan(json, contextOf(place), { engine }).records };
  });
}

/** What `show -json` of a state comes to. */
export interface StateDocument {
  readonly json: Json;
  /** Each as recorded, and not looked at. */
  readonly drift: readonly DriftFields[];
  readonly resources: readonly string[];
}

/** @param fellBackFrom the read that failed, in whose place this one is. @throws ToolFailed `not-understood` */
export function readState(bytes: Uint8Array, place: Workplace, fellBackFrom?: string): StateDocument {
  return understood(() => {
    const json = parseJson(inputBytes(bytes));
    const values = inside(whole(json), 'values');
    if (isThere(values)) markState(values, { mark: place.words.hide });
    const { records } = readTerraformState(json, contextOf(place), { engine: place.work.tool === 'tofu' ? 'tofu' : 'terraform' });
    const drift = records.map((record): DriftFields => (fellBackFrom === undefined ? record : { ...record, fellBackFrom }));
    return { json, drift, resources: isThere(values) ? objectsOfState(values).map(({ address }) => address) : [] };
  });
}

/** Whose records these are is for whoever knows the line to say; here, it is the stack's folder. */
function contextOf({ work, began }: Workplace): ReaderContext & { readonly key: NonNullable<ReaderContext['key']> } {
  const { id, key } = work.fingerprintKey;
  const member = work.root.stack === undefined ? work.root.path : `${work.root.path}#${work.root.stack}`;
  return {
    member,
    observedAt: began,
    show: work.show.flatMap((text) => shownOf(text) ?? []),
    key: { id, key: Buffer.from(key, 'base64') },
    graph: anyGraph,
  };
}

/** The places are ours, the values the document's: only the former are told. */
function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotUnderstoodError) {
      const diagnostics = error.address === undefined ? [] : [{ severity: 'error', kind: 'not-understood', address: error.address } as const];
      throw new ToolFailed({ cause: 'not-understood', message: error.message, diagnostics });
    }
    if (error instanceof UnreadableError) throw new ToolFailed({ cause: 'not-understood', message: `The tool's document cannot be read. ${error.message}` });
    throw error;
  }
}
