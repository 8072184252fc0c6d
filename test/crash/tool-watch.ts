/**
 * What must hold of infrastructure tools, each of which is at work in a process of its own (P9): told by when each began and ended, in numbers of
 * writes that the table had taken by then. Whoever watches also sends what the runner tells of an end, as EventBridge may: once, twice, never, late.
 */
import { tokenVariable } from '../../shared/stacks/job-environment.ts';
import { readToken } from '../../shared/stacks/tool-token.ts';
import type { ToolProcess } from '../ports/memory-tool-runner.ts';
import type { Workbench } from '../ports/workbench.ts';
import { setTo } from '../property/oracles/table-writes.ts';

export interface ToolWatch {
  /** What is broken, a sentence each. */
  broken(): Promise<string[]>;
}

/** A tool at work. */
interface Spell {
  readonly job: string;
  readonly run: string;
  readonly root: string;
  readonly from: number;
  until: number;
}

/** Seconds after which each of four notices comes; the third never does. */
const notices: readonly (readonly number[])[] = [[1], [1, 2], [], [600]];

export function watchTools(bench: Workbench): ToolWatch {
  const { runner, memory, queues } = bench;
  const spells: Spell[] = [];
  let ends = 0;

  function tellEnd({ token }: ToolProcess): void {
    const variables = [{ name: tokenVariable, value: token }];
    for (const seconds of notices[ends++ % notices.length] ?? [])
      queues.deliver({ queue: 'control', message: { format: 7, look: 'tool-job', variables, group: 'tool-job' }, at: 0 }, seconds);
  }

  function look(before: ReadonlyMap<string, ToolProcess>): void {
    for (const process of runner.processes()) {
      const was = before.get(process.job)?.at;
      if (was === process.at) continue;
      if (process.at === 'working') {
        const root = runner.began.find(({ job }) => job === process.job)?.work.root.path ?? '';
        const run = readToken(process.token)?.run ?? '';
        if (process.purpose === 'apply') spells.push({ job: process.job, run, root, from: memory.writes.length, until: Number.POSITIVE_INFINITY });
      } else if (process.at === 'ended') {
        for (const spell of spells) if (spell.job === process.job) spell.until = memory.writes.length;
        tellEnd(process);
      }
    }
  }

  /** A port's method, after which somebody looks who has begun and who has ended. */
  const seen =
    <Given extends unknown[], Answer>(method: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const before = new Map(runner.processes().map((process) => [process.job, process]));
      try {
        return await method(...given);
      } finally {
        look(before);
      }
    };
  const { start, state, stop } = runner.tools;
  Object.assign(runner.tools, { start: seen(start), state: seen(state), stop: seen(stop) });

  return {
    async broken() {
      // Whoever waits for work looks once more whether there is any.
      await runner.step();
      const working = runner.processes().filter(({ at }) => at === 'working');
      return [
        ...besideEachOther(spells),
        ...underAnothersLease(bench, spells),
        ...working.map(({ job }) => `P9: ${job} is at work when all is at rest`),
        ...openRecords(bench),
      ];
    },
  };
}

const besideEachOther = (spells: readonly Spell[]): string[] =>
  spells.flatMap((one, at) =>
    spells
      .slice(at + 1)
      .filter((other) => other.root === one.root && other.from < one.until)
      .map((other) => `P9: ${one.job} and ${other.job} were at work on ${one.root} at once`),
  );

/** I9: the lease that a tool works under is its run's until another one has it, and that one marks it sealed only when the tool has ended. */
function underAnothersLease({ memory }: Workbench, spells: readonly Spell[]): string[] {
  const lease = { holder: '', fence: 0, sealedAt: -1, released: false };
  const wrong = new Set<string>();
  for (const [at, write] of memory.writes.entries()) {
    if (!write.applied || write.key.sk !== 'LEASE' || !write.key.pk.startsWith('SCOPE#')) continue;
    if ('set' in write.change && write.change.remove?.includes('released')) lease.released = false;
    for (const name of ['holder', 'fence', 'sealedAt', 'released'] as const) {
      const value = setTo(write, name);
      if (value !== undefined) Object.assign(lease, { [name]: value });
    }
    const working = spells.filter(({ from, until }) => from <= at && at < until);
    for (const { job, run } of working) {
      if (lease.released) wrong.add(`P9: ${job} was at work when the lease was given back`);
      else if (lease.sealedAt === lease.fence && lease.holder !== run) wrong.add(`I9: ${job} was at work under the sealed lease of ${lease.holder}`);
    }
  }
  return [...wrong];
}

const openRecords = ({ memory }: Workbench): string[] =>
  memory
    .items()
    .filter((item) => item.sk.startsWith('LEDGER#') && item['external'] !== undefined && (item['external'] as { ended?: number }).ended === undefined)
    .map(({ pk, sk }) => `P9: the record of a tool job is open in ${pk} ${sk} when all is at rest`);
