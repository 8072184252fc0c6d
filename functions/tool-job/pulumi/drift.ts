import { createMasking } from '../../../shared/drift/masking.ts';
import { inputBytes } from '../../../shared/drift/readers/input.ts';
import { readPulumiStream } from '../../../shared/drift/readers/pulumi-stream.ts';
import { type Finding, type ReaderContext, readingOf } from '../../../shared/drift/readers/reading.ts';
import { shownOf } from '../../../shared/drift/readers/show.ts';
import { UnreadableError } from '../../../shared/drift/readers/unreadable.ts';
import type { DriftRecord } from '../../../shared/drift/record.ts';
import { urnParts } from '../../../shared/drift/urn.ts';
import { refreshArgs, streaming } from '../../../shared/stacks/pulumi/commands.ts';
import { type Exported, managedIn } from '../../../shared/stacks/pulumi/exported.ts';
import type { Workplace } from '../driver.ts';
import { callFailed, pulumi } from './call.ts';
import { stackOf } from './prepare.ts';

/** More single reads than this take longer than they are worth: the rest stays unobserved. */
const mostTargets = 25;

/**
 * What is live beside what is recorded (R2.11): right after the preview, in the same job and within its time (R2.8). A resource whose read
 * fails holds back only itself: those the read did not come to are read one by one (R3.22).
 *
 * @returns undefined where the read says nothing that can be gone by.
 * @throws ToolFailed `timed-out`, `stopped`
 */
export async function liveDrift(place: Workplace): Promise<readonly DriftRecord[] | undefined> {
  const stack = stackOf(place);
  const all = await refreshed(place, refreshArgs(stack));
  if (all === undefined) return undefined;
  const records = new Map(all.map((record) => [record.address, record]));
  const missed = all.filter(isMissed).slice(0, mostTargets);
  for (const { address } of missed) {
    const one = (await refreshed(place, refreshArgs(stack, address)))?.find((record) => record.address === address);
    if (one !== undefined) records.set(address, one);
  }
  return [...records.values()];
}

/** What somebody complained of failed by itself; what was not reached may be in order. */
const isMissed = ({ status, unobserved }: DriftRecord): boolean => status === 'not-observed' && unobserved?.reason === 'not-reached';

async function refreshed(place: Workplace, args: readonly string[]): Promise<readonly DriftRecord[] | undefined> {
  const end = await pulumi(place, args, { environment: streaming });
  if (end.end !== 'exited') throw callFailed(place, end, { what: 'pulumi refresh --preview-only', cause: 'plan-failed' });
  try {
    return readPulumiStream(inputBytes(end.stdout), contextOf(place)).records;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableError)) throw thrown;
    place.words.say(`pulumi refresh --preview-only: ${thrown.says}`);
    return undefined;
  }
}

function contextOf({ work, began }: Workplace): ReaderContext {
  const { path, stack } = work.root;
  const member = stack === undefined ? path : `${path}#${stack}`;
  return {
    member,
    observedAt: began,
    show: work.show.flatMap((text) => shownOf(text) ?? []),
    key: { id: work.fingerprintKey.id, key: Buffer.from(work.fingerprintKey.key, 'base64') },
    graph: { root: member, has: () => false },
  };
}

/** What the state records, where nothing that is live could be looked at (R3.23): nobody says that it is in sync. */
export function recordedDrift(place: Workplace, state: Exported): readonly DriftRecord[] {
  const findings = managedIn(state).flatMap((urn): Finding[] => {
    const type = urnParts(urn)?.type;
    return type === undefined ? [] : [{ address: urn, resourceType: type, status: 'recorded', fellBackFrom: 'refresh' }];
  });
  const source = { engine: 'pulumi', read: 'state', evidence: { tool: 'pulumi', command: 'pulumi stack export' }, masking: createMasking() } as const;
  return readingOf(findings, source, contextOf(place)).records;
}
