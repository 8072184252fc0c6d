import { describe, expect, test } from 'vitest';
import { commitOf, mona, openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Run } from '../run/items.ts';
import { lookForLost } from './lost.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const minute = 60_000;
const day = 24 * 60 * minute;
const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];

/** What the schedule's message makes the controller do. */
async function look(bench: Workbench): Promise<void> {
  bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: { format: 3, look: 'lost', group: 'schedule' } });
  await bench.quiet();
}

/** An attempt of the host, some minutes ago. */
const tried = (bench: Workbench, guid: string, status: number, minutes: number) => {
  const at = bench.clock.now() - minutes * minute;
  bench.code.deliveries.push({ id: `${guid}-${bench.code.deliveries.length}`, guid, at, status });
  bench.code.deliveries.sort((a, b) => b.at - a.at);
};

describe('deliveries that failed', () => {
  test.each([500, 502, 503, 401, 0])('with %i are asked for once more', async (status) => {
    const bench = openWorkbench();
    tried(bench, 'lost', status, 20);
    await look(bench);
    expect(bench.code.askedAgain).toEqual(['lost-0']);
  });

  test.each([
    ['arrived', (bench: Workbench) => tried(bench, 'one', 202, 20)],
    [
      'arrived at a later attempt',
      (bench: Workbench) => {
        tried(bench, 'one', 502, 40);
        tried(bench, 'one', 202, 20);
      },
    ],
    [
      'were refused for what they are: told again, they are refused again',
      (bench: Workbench) => {
        for (const status of [400, 403, 413]) tried(bench, `no-${status}`, status, 20);
      },
    ],
    ['failed only just now', (bench: Workbench) => tried(bench, 'one', 502, 2)],
    ['are older than GitHub repeats them', (bench: Workbench) => tried(bench, 'one', 502, (3 * day) / minute + 1)],
    [
      'failed as often as is tried',
      (bench: Workbench) => {
        for (const minutes of [80, 60, 40, 20]) tried(bench, 'one', 502, minutes);
      },
    ],
  ])('that %s are left alone', async (_, happened) => {
    const bench = openWorkbench();
    happened(bench);
    await look(bench);
    expect(bench.code.askedAgain).toEqual([]);
  });

  test('are asked for by their newest attempt, twenty at a look', async () => {
    const bench = openWorkbench();
    tried(bench, 'twice', 502, 60);
    tried(bench, 'twice', 502, 30);
    await look(bench);
    expect(bench.code.askedAgain).toEqual(['twice-1']);
    for (let count = 0; count < 30; count += 1) tried(bench, `many-${count}`, 502, 20);
    await look(bench);
    expect(bench.code.askedAgain).toHaveLength(1 + 20);
  });
});

describe('an open pull request whose head has no run', () => {
  /** A bench whose table knows the repository, and a pull request that nobody told of, last changed so many minutes ago. */
  async function untold(minutes: number, plan: readonly object[] | null = lines): Promise<Workbench> {
    const bench = openWorkbench();
    await bench.happens({ format: 2, event: 'push', ...mona, push: { branch: 'elsewhere', sha: commitOf('zero') } });
    await bench.quiet();
    bench.pull(7, 'one', plan ?? []);
    if (!plan) bench.code.pulls.set(7, { number: 7, open: true, head: { sha: commitOf('planless'), branch: 'feat-7', fork: false } });
    bench.code.updated.set(7, bench.clock.now() - minutes * minute);
    return bench;
  }

  test('gets the run that its lost event should have started', async () => {
    const bench = await untold(20);
    await look(bench);
    expect(runsOf(bench)).toMatchObject([{ pullRequest: 7, commit: commitOf('one'), outcome: 'complete', triggeredBy: 'mona' }]);
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test('gets it once, however often the schedule looks (I10)', async () => {
    const bench = await untold(20);
    await look(bench);
    await look(bench);
    expect(runsOf(bench)).toHaveLength(1);
  });

  test('is recorded once where its commit has no plan file: nothing is asked of the host for it again', async () => {
    const bench = await untold(20, null);
    await look(bench);
    let asked = 0;
    bench.code.onAsk = (question) => {
      if (question === 'file' || question === 'pullRequest') asked += 1;
    };
    const sent = bench.queues.sent.length;
    await look(bench);
    expect([asked, bench.queues.sent.length - sent, runsOf(bench)]).toEqual([0, 0, []]);
  });

  test('died between its record and its message: the sweep finds it', async () => {
    const bench = await untold(20);
    bench.queues.faults.fail(({ queue }) => queue === 'control', new Error('the queue is away'));
    await look(bench);
    expect(runsOf(bench)).toEqual([]);
    await bench.sweep();
    expect(runsOf(bench)).toMatchObject([{ outcome: 'complete' }]);
  });

  test.each([
    ['changed just now: its event is on its way', 5],
    ['has not changed for days: an installation does not release every old one', 4 * 24 * 60],
  ])('is left alone when it %s', async (_, minutes) => {
    const bench = await untold(minutes);
    await look(bench);
    expect(runsOf(bench)).toEqual([]);
  });

  test('is left alone when it comes from a fork, or its repository is not on the allow-list any more', async () => {
    const bench = await untold(20);
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, head: { ...pull.head, fork: true } });
    await look(bench);
    const other = await untold(20);
    const world = { ...other.world(), serves: () => false };
    await lookForLost(world);
    await other.quiet();
    expect([runsOf(bench), runsOf(other)]).toEqual([[], []]);
  });

  test('costs two questions where nothing is missing', async () => {
    const bench = await untold(20);
    await look(bench);
    const asked: string[] = [];
    bench.code.onAsk = (question) => void asked.push(question);
    await look(bench);
    expect(asked).toEqual(['deliveries', 'openPullRequests']);
  });
});

describe('a host that is away', () => {
  test('costs a line in the log: the look ends, its message is gone, and nothing dies', async () => {
    const bench = openWorkbench();
    await bench.happens({ format: 2, event: 'push', ...mona, push: { branch: 'elsewhere', sha: commitOf('zero') } });
    await bench.quiet();
    bench.code.onAsk = () => {
      throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'GitHub is away' });
    };
    await look(bench);
    expect(bench.logged.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'could not look for failed deliveries',
      'could not look for open pull requests',
    ]);
    expect(bench.logged.filter(({ level }) => level === 'thrown' || level === 'error')).toEqual([]);
    expect(bench.queues.waiting()).toEqual([]);
  });

  test('in one repository alone keeps nobody else’s pull requests from being found', async () => {
    const bench = openWorkbench();
    for (const [id, name] of [
      ['7100', 'gone'],
      ['7101', 'storefront'],
    ] as const) {
      bench.code.repository = { id, name };
      await bench.happens({ format: 2, event: 'push', ...mona, repository: { ...repository, id, name }, push: { branch: 'elsewhere', sha: commitOf('zero') } });
      await bench.quiet();
    }
    bench.pull(7, 'one', lines);
    bench.code.updated.set(7, bench.clock.now() - 20 * minute);
    let asked = 0;
    bench.code.onAsk = (question) => {
      if (question === 'openPullRequests' && ++asked === 1) throw new LockkeeperError({ code: 'CODE_HOST', message: 'not installed' });
    };
    await look(bench);
    expect(runsOf(bench)).toMatchObject([{ outcome: 'complete' }]);
  });
});
