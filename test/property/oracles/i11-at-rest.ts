import { runsOf, type Seen } from '../stage.ts';

/** How many deliveries a run may take for each of its lines, and beside them: more than any takes, fewer than one that goes round. */
const perLine = 25;
const perRun = 60;

/** I11: after the last fault every run has ended, waits for an event, or asks; nothing is left to be done; and it did not take long. */
export function unfinished(stage: Seen): string[] {
  const { bench } = stage;
  const runs = runsOf(bench);
  const moving = runs.filter((run) => !['done', 'waiting', 'awaiting'].includes(run.phase));
  const bound = runs.length * (perRun + perLine * (stage.plan.length + 6));
  const items = bench.memory.items((item) => item.sk === 'LEASE' || item['kind'] === 'intake');
  const leases = items.filter((item) => item.sk === 'LEASE' && item['released'] !== true && (item['expiresAt'] as number) >= bench.clock.now());
  const open = items.filter((item) => item['kind'] === 'intake' && item['status'] === 'recorded');
  return [
    ...moving.map((run) => `I11: run ${run.id} rests in ${run.phase}`),
    ...leases.map((lease) => `I11: ${lease.pk} is still held by ${String(lease['holder'])}`),
    ...open.map((intake) => `I11: intake ${String(intake['id'])} was never looked at`),
    ...bench.queues.waiting().map((message) => `I11: a message is left: ${JSON.stringify(message)}`),
    ...(stage.deliveries > bound ? [`I11: ${stage.deliveries} deliveries for ${runs.length} runs`] : []),
  ];
}
