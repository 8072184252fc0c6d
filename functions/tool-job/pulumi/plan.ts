import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inputBytes } from '../../../shared/drift/readers/input.ts';
import type { Json } from '../../../shared/drift/readers/json.ts';
import { parseJson } from '../../../shared/drift/readers/json-text.ts';
import { UnreadableError } from '../../../shared/drift/readers/unreadable.ts';
import { destroyPreviewArgs, previewArgs, streaming } from '../../../shared/stacks/pulumi/commands.ts';
import { type Preview, type PreviewOutput, previewed, previewOutput } from '../../../shared/stacks/pulumi/preview.ts';
import { kindOf } from '../../../shared/stacks/pulumi/said.ts';
import { sha256Of } from '../../../shared/stacks/sealed-object.ts';
import type { StackChange, StackPlan } from '../../../shared/stacks/tool-work.ts';
import type { Workplace } from '../driver.ts';
import type { ToolEnd } from '../run-tool.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed, heard, pulumi, understood } from './call.ts';
import { stackOf } from './prepare.ts';

/** A saved plan holds every input of every resource: beyond this the stack wants splitting. */
const mostPlanBytes = 16 * 1024 * 1024;

/** A preview of what the work asks for, with the plan it saved where it saved one. */
export interface Planned extends Preview {
  readonly file?: string;
}

/**
 * Previews an update, or with `work.destroys` a destroy, which Pulumi saves no plan of.
 *
 * @param refresh what is live counts: what it differs in is put back.
 * @throws ToolFailed `plan-failed`, `busy`, `not-understood`, `output-too-large`, `timed-out`, `stopped`
 */
export async function preview(place: Workplace, { refresh, save }: { readonly refresh: boolean; readonly save?: string }): Promise<Planned> {
  const stack = stackOf(place);
  const file = save === undefined || place.work.destroys === true ? undefined : join(place.folder, save);
  const call = (savePlan: string | undefined): Promise<ToolEnd> => {
    const args = place.work.destroys === true ? destroyPreviewArgs(stack) : previewArgs(stack, { refresh, ...(savePlan === undefined ? {} : { savePlan }) });
    return pulumi(place, args, { environment: streaming });
  };
  const first = await call(file);
  // A release without saved plans: the fresh preview before the update is all there is.
  const savesNone = file === undefined || refusesFlag(first);
  const end = file !== undefined && savesNone ? await call(undefined) : first;
  const what = place.work.destroys === true ? 'pulumi destroy --preview-only' : 'pulumi preview';
  const output = outputOf(place, end, what);
  if (end.end !== 'exited' || end.exit !== 0) throw callFailed(place, end, { what, cause: 'plan-failed', said: output?.said ?? [] });
  return understood(what, () => {
    const saved = savesNone ? {} : { file };
    const { key, id } = place.work.fingerprintKey;
    const telling = { key: { id, key: Buffer.from(key, 'base64') }, show: place.work.show };
    const found = previewed(output ?? previewOutput(Buffer.of()), telling, saved.file === undefined ? undefined : planIn(saved.file));
    return { ...found, changes: found.changes.map((change) => withoutMasked(place, change)), ...saved };
  });
}

const refusesFlag = (end: ToolEnd): boolean => end.end === 'exited' && end.exit !== 0 && kindOf(end.stderr) === 'unknown-flag';

/** What it wrote, as far as it can be read: a preview that failed may have been cut off in the middle of a word. */
function outputOf(place: Workplace, end: ToolEnd, what: string): PreviewOutput | undefined {
  if (end.end !== 'exited') return undefined;
  const read = (): PreviewOutput => previewOutput(end.stdout);
  if (end.exit === 0) return told(place, understood(what, read));
  try {
    return told(place, read());
  } catch {
    return undefined;
  }
}

function told(place: Workplace, output: PreviewOutput): PreviewOutput {
  output.said.forEach(heard(place));
  return output;
}

/** @throws UnreadableError */
function planIn(file: string): Json {
  if (!existsSync(file)) throw new UnreadableError('it was to save a plan, and there is none');
  return parseJson(inputBytes(readFileSync(file)));
}

/** What policy lets people see may still hold what the job was told to hide. */
function withoutMasked({ words }: Workplace, change: StackChange): StackChange {
  if (change.shown === undefined) return change;
  const { shown, ...rest } = change;
  const clean = shown.filter((one) => {
    const text = JSON.stringify(one);
    return words.mask(text) === text;
  });
  return { ...rest, ...(clean.length === 0 ? {} : { shown: clean }) };
}

/** The saved plan as the outcome carries it. @throws ToolFailed `output-too-large` */
export function savedPlan({ file }: Planned): Pick<StackPlan, 'saved'> {
  if (file === undefined) return {};
  if (statSync(file).size > mostPlanBytes)
    throw new ToolFailed({ cause: 'output-too-large', message: 'The saved plan is larger than 16 MB: split the stack.' });
  const bytes = readFileSync(file);
  return { saved: { bytes: bytes.toString('base64'), sha256: sha256Of(bytes) } };
}
