import { inputBytes } from '../../../shared/drift/readers/input.ts';
import type { Json } from '../../../shared/drift/readers/json.ts';
import { parseJson } from '../../../shared/drift/readers/json-text.ts';
import { whole } from '../../../shared/drift/readers/place.ts';
import { markState } from '../../../shared/drift/readers/pulumi.ts';
import { exportArgs } from '../../../shared/stacks/pulumi/commands.ts';
import { type Exported, exportedState } from '../../../shared/stacks/pulumi/exported.ts';
import type { Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { pulumi } from './call.ts';
import { stackOf } from './prepare.ts';

/** What is recorded; undefined where it cannot be read. It is read back even when the job's time is up. */
export async function exported(place: Workplace): Promise<Exported | undefined> {
  const document = await documentOf(place, false);
  try {
    return document === undefined ? undefined : exportedState(document);
  } catch {
    return undefined;
  }
}

async function documentOf(place: Workplace, secrets: boolean): Promise<Json | undefined> {
  const end = await pulumi(place, exportArgs(stackOf(place), { secrets }), { readsBack: true });
  if (end.end !== 'exited' || end.exit !== 0) return undefined;
  try {
    return parseJson(inputBytes(end.stdout));
  } catch {
    return undefined;
  }
}

/**
 * Hides the secrets that the state alone knows from the words of a failure: a refusal of a saved plan prints the former value of a rotated one,
 * which nobody resolves any more. What cannot be asked for stays as it is.
 */
export async function withSecretsHidden(place: Workplace, thrown: unknown): Promise<never> {
  if (thrown instanceof ToolFailed && thrown.failure.diagnostics.length > 0 && place.work.root.stack !== undefined) {
    const document = await documentOf(place, true);
    if (document !== undefined) markState(whole(document), { mark: (value) => place.words.hide(value) });
  }
  throw thrown;
}
