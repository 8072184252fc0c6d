import { runsOf, type Seen } from '../stage.ts';
import { lastRunOf } from './table-writes.ts';

/** I4: a run that only plans sends no write to a provider and writes no ledger line (R1.41). */
export function writtenByPlans({ bench, sent }: Seen): string[] {
  const plans = new Set(runsOf(bench).flatMap((run) => (run.intent === 'plan' ? [run.id] : [])));
  return [
    ...sent.filter(({ run }) => plans.has(run.id) || run.phase === 'planning').map((one) => `I4: planning run ${one.run.id} sent ${one.method} ${one.name}`),
    ...bench.memory.writes
      .filter((write) => write.applied && write.key.sk.startsWith('LEDGER#') && plans.has(lastRunOf(write) ?? ''))
      .map((write) => `I4: plan ${lastRunOf(write)} wrote ${write.key.pk} ${write.key.sk}`),
  ];
}
