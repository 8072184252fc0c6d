import { inputBytes } from '../../drift/readers/input.ts';
import type { Json, JsonMap } from '../../drift/readers/json.ts';
import { UnreadableError } from '../../drift/readers/unreadable.ts';
import type { StackChange } from '../tool-work.ts';
import { changesOf, rootType, type Telling } from './change.ts';
import { eventOf, type PulumiStep, type Said, type Summary } from './event.ts';
import { savedSteps } from './saved-plan.ts';
import { valuesIn } from './values.ts';

/** What a preview of an update or of a destroy comes to. */
export interface Preview {
  readonly changes: readonly StackChange[];
  /** As Pulumi told them, for what is compared with an update later: values are in them. Never leaves the job. */
  readonly steps: readonly PulumiStep[];
  /** The stack's outputs as they will be, as far as the preview knows them; undefined where it does not tell. */
  readonly outputs: JsonMap | undefined;
}

/** What a preview wrote, failed or not. */
export interface PreviewOutput {
  readonly steps: readonly PulumiStep[];
  readonly rootEnd: PulumiStep | undefined;
  readonly said: readonly Said[];
  readonly summary: Summary | undefined;
  /** As one document, which leaves out how a replacement is made. */
  readonly document: boolean;
}

/**
 * Takes apart what `pulumi preview --json` or `pulumi destroy --preview-only --json` wrote: the stream of events, or the one document of a
 * Pulumi that does not know the switch for it. Steps of a refresh beside it (`--refresh`) are left out: they say nothing of what is done.
 *
 * Checked against recordings of Pulumi 3.259.
 *
 * @throws UnreadableError
 */
export function previewOutput(output: Uint8Array): PreviewOutput {
  const begun: PulumiStep[] = [];
  const said: Said[] = [];
  const refreshing = new Set<string>();
  let [rootEnd, summary, document]: [PulumiStep | undefined, Summary | undefined, boolean] = [undefined, undefined, false];
  for (const value of valuesIn(inputBytes(output))) take(value);

  function take(value: Json): void {
    const event = eventOf(value);
    if (event?.kind === 'document') {
      begun.push(...event.steps.filter(({ op }) => op !== 'refresh'));
      said.push(...event.said);
      summary = event.summary;
      document = true;
    } else if (event?.kind === 'begun') {
      if (event.step.op === 'refresh') refreshing.add(event.step.urn);
      else begun.push(event.step);
    } else if (event?.kind === 'ended') {
      const refreshed = refreshing.delete(event.step.urn);
      if (!refreshed && event.step.type === rootType) rootEnd = event.step;
    } else if (event?.kind === 'said') said.push(event.said);
    else if (event?.kind === 'summary') {
      if (summary !== undefined) throw new UnreadableError('there is a second summary');
      summary = event.summary;
    }
  }

  return { steps: begun, rootEnd, said, summary, document };
}

/**
 * What a preview that succeeded says.
 *
 * @param saved the plan it saved, which knows how a replacement is made where the document does not say.
 * @throws UnreadableError where what it wrote does not hang together: no summary, fewer events than it counts (as R2.13), an operation that
 * is not known.
 */
export function previewed(output: PreviewOutput, telling: Telling, saved?: Json): Preview {
  const { summary, rootEnd } = output;
  if (summary === undefined) throw new UnreadableError('it has no summary: it was cut');
  if (summary.failed) throw new UnreadableError('its summary says that it failed');
  if (summary.corrupt) throw new UnreadableError('Pulumi says that its state may be damaged');
  const steps = output.document ? inOrder(output.steps, saved) : output.steps;
  for (const [op, count] of summary.counts) {
    const told = output.steps.filter((step) => step.op === op).length;
    if (!uncounted.has(op) && count > told) throw new UnreadableError('its summary counts more of one operation than it tells');
  }
  return { changes: changesOf(steps, rootEnd, telling), steps, outputs: rootEnd?.now?.outputs };
}

/** What a document leaves out on purpose. */
const uncounted: ReadonlySet<string> = new Set(['same', 'refresh', 'read', 'read-replacement']);

/** The parts of each replacement in place of its sum, in the order of the saved plan. */
function inOrder(steps: readonly PulumiStep[], saved: Json | undefined): PulumiStep[] {
  const plans = saved === undefined ? undefined : savedSteps(saved);
  return steps.flatMap((step) => {
    if (step.op !== 'replace') return [step];
    const parts = plans?.get(step.urn) ?? [];
    return [step, ...parts.filter((op) => op !== 'replace').map((op): PulumiStep => ({ ...step, op }))];
  });
}
