import { type Finding, fine, wrong } from './finding.ts';
import type { Probes } from './probes.ts';

const sections = { control: 'dead-control-steps', lines: 'dead-lines' } as const;
const outputsOf = { control: ['ControlQueueUrl', 'ControlDeadLetterQueueUrl'], lines: ['LinesQueueUrl', 'LinesDeadLetterQueueUrl'] } as const;

/** Whether the messages of a queue, and those that died, are handed to a function, and whether any dead one lies there. */
export async function queueFindings(
  probes: Pick<Probes, 'depth' | 'mappingState'>,
  queue: 'control' | 'lines',
  outputs: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  const [live, dead] = outputsOf[queue].map((name) => String(outputs[name])) as [string, string];
  const states = [
    [`${queue} queue`, await probes.mappingState(live)],
    [`dead letters of ${queue}`, await probes.mappingState(dead)],
  ] as const;
  const unread = states.filter(([, state]) => !isRead(state)).map(([check, state]) => unreadFinding(check, state));
  return unread.length > 0 ? unread : [deadFinding(queue, await probes.depth(dead))];
}

/** While it is being enabled or changed it is on its way. */
const isRead = (state: string | undefined): boolean => ['Enabled', 'Enabling', 'Creating', 'Updating'].includes(state ?? '');

function unreadFinding(check: string, state: string | undefined): Finding {
  if (state === undefined) return wrong(check, 'no function reads it', 'Deploy this version: `npx cdk deploy`.');
  const remedy = 'Enable it: `aws lambda list-event-source-mappings`, then `aws lambda update-event-source-mapping --uuid … --enabled`.';
  return wrong(check, `what hands its messages to a function is ${state.toLowerCase()}`, remedy);
}

function deadFinding(queue: 'control' | 'lines', { visible, inFlight }: Awaited<ReturnType<Probes['depth']>>): Finding {
  const count = visible + inFlight;
  if (count === 0) return fine(`${queue} queue`, 'read; no dead letters');
  return wrong(`${queue} queue`, `${count} dead ${count === 1 ? 'letter' : 'letters'}`, `docs/runbook.md, section ${sections[queue]}.`);
}
