import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { type MemoryToolRunner, memoryToolRunner } from '../../test/ports/memory-tool-runner.ts';
import { fates } from '../../test/ports/mortal.ts';
import { stackKeys } from '../../test/ports/stack-keys.ts';
import { LockkeeperError } from '../errors/error.ts';
import { enterLease, grantLease } from '../lease/lease.ts';
import { createLedgerLine, LedgerMoved, readLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import { AnswerLost } from '../ports/table.ts';
import { Again } from '../run/again.ts';
import type { LineSpec } from '../run/items.ts';
import { ledgerPlace } from './record-places.ts';
import { type Advanced, advance } from './tool-job.ts';
import type { ToolWork } from './tool-work.ts';

const scope = 'repo#main#production#main';
const timing = { leaseTtl: 900_000, skew: 30_000, storeTimeout: 5_000 };
const sealedObject = { object: 'sources/one', key: 'a2V5', sha256: '0'.repeat(64) };
const toolWork: ToolWork = {
  format: 1,
  do: 'plan-and-apply',
  tool: 'terraform',
  root: { path: 'infra', varFiles: [] },
  source: sealedObject,
  variables: { password: 'canary-of-a-variable' },
  secretVariables: ['password'],
  environment: { AWS_SESSION_TOKEN: 'canary-of-a-role' },
  mask: ['canary-of-a-variable'],
  lock: true,
  drift: true,
  show: [],
  fingerprintKey: { id: 'one', key: 'a2V5' },
  timeoutMs: 600_000,
};

function bench() {
  const clock = manualClock();
  const memory = memoryTable();
  const bucket = memoryObjects(clock);
  const runner = memoryToolRunner(bucket.objects, clock);
  const fate = fates();
  const ids = countingIds();
  const lost = (method: string) => (method === 'write' ? new AnswerLost('lost') : new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'lost' }));

  /** The world of one invocation. */
  function world() {
    const life = fate.life();
    return {
      table: life.wrap('table', memory.table, lost),
      objects: life.wrap('objects', bucket.objects, lost),
      tools: life.wrap('tools', runner.tools, lost),
      ids,
      clock,
      timing,
      keys: stackKeys,
    };
  }

  async function prepared(run: string) {
    const granted = await grantLease(world(), scope, run);
    if (!granted.granted) throw new Error('not granted');
    await createLedgerLine(world(), scope, granted.tenure, run, { line: 'vpc', adapter: 'terraform', op: 'root', needs: [] });
  }

  /** One delivery of the line's message: enters the lease, looks after the job, and writes down what became of it. */
  async function deliver(run: string, request: { ends?: boolean } = {}): Promise<Advanced | 'lock lost'> {
    const here = world();
    const entry = await enterLease(here, scope, run);
    if (!entry.ours) return 'lock lost';
    const ledger = await readLedgerLine(here.table, scope, 'vpc');
    if (!ledger) throw new Error('no ledger line');
    const line = { run, round: 1, phase: 'applying' as const, spec: { id: 'vpc', order: 0 } as LineSpec };
    const place = ledgerPlace(here, { scope, line, tenure: entry.tenure, guard: { beforeWrite: () => undefined }, ledger });
    const answer = await advance(here, place, { purpose: 'apply', timeLimitMs: 600_000, work: async () => toolWork, ...request });
    if ('later' in answer || !answer.record || answer.record.ended) return answer;
    await saveLedgerLine(here, scope, entry.tenure, run, ledger, { external: { ...answer.record, ended: clock.now() } });
    return answer;
  }

  /** Deliveries until there is an answer; what comes back, comes back. */
  async function toItsEnd(run: string, request: { ends?: boolean } = {}): Promise<Exclude<Advanced, { later: number }> | 'lock lost'> {
    for (let times = 0; times < 200; times += 1) {
      const answer = await deliver(run, request).catch((error: unknown) => {
        if (error instanceof Error && !/bug/.test(error.message)) return { later: error instanceof Again ? error.seconds : 5 };
        throw error;
      });
      if (answer === 'lock lost' || !('later' in answer)) return answer;
      clock.advance(answer.later * 1000);
    }
    throw new Error('bug: no answer after 200 deliveries');
  }

  const ledger = async () => readLedgerLine(memory.table, scope, 'vpc');
  return { clock, memory, bucket, runner, fate, world, prepared, deliver, toItsEnd, ledger };
}

type Bench = ReturnType<typeof bench>;

const workedOnce = ({ runner }: { runner: MemoryToolRunner }) => expect(runner.began).toHaveLength(1);

async function deliverUntil(b: Bench, run: string, holds: () => boolean): Promise<void> {
  for (let times = 0; times < 20 && !holds(); times += 1) {
    await b.deliver(run);
    b.clock.advance(1000);
  }
  expect(holds()).toBe(true);
}

const isAt = (b: Bench, at: string) => () => b.runner.processes().some((one) => one.at === at);

describe('a tool job (P9)', () => {
  test('is written down before it is started, given its work sealed to its process, and its answer taken', async () => {
    const b = bench();
    await b.prepared('one');
    const answer = await b.toItsEnd('one');
    expect(answer).toMatchObject({ outcome: { did: 'applied' }, record: { run: 'one', purpose: 'apply', fence: 1, job: 'job-1' } });
    workedOnce(b);
    expect(b.runner.began[0]?.work).toEqual(toolWork);
    const letters = b.bucket.keys().filter((key) => key.startsWith('tools/apply/'));
    expect(letters.map((key) => key.split('/').at(-1))).toEqual(['hello', 'input', 'result']);
    for (const key of letters) for (const body of b.bucket.bodies(key)) expect(body).not.toContain('canary');
  });

  test('that is asked for again after its answer was written down gives the same answer and starts nothing', async () => {
    const b = bench();
    await b.prepared('one');
    const first = await b.toItsEnd('one');
    const again = await b.toItsEnd('one');
    expect(again).toMatchObject({ outcome: (first as { outcome: unknown }).outcome });
    workedOnce(b);
    expect(b.runner.processes()).toHaveLength(1);
  });

  test('whose record another writer overtook is not started', async () => {
    const b = bench();
    await b.prepared('one');
    b.memory.faults.before(
      (call) => call.op === 'write' && 'set' in call.change && call.change.set?.['external'] !== undefined,
      async () => void (await b.memory.table.write({ pk: `SCOPE#${scope}`, sk: 'LEDGER#vpc' }, { set: { version: 'another' } }, { is: 'always' })),
    );
    await expect(b.deliver('one')).rejects.toBeInstanceOf(LedgerMoved);
    expect(b.runner.processes()).toEqual([]);
  });

  test('that two starts made is done by the process that said hello first, and by no other', async () => {
    const b = bench();
    b.runner.forgets = true;
    await b.prepared('one');
    b.fate.plan(0, 'lost', (name) => name === 'tools.start');
    await expect(b.deliver('one')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    b.runner.tool = () => 'works';
    await b.deliver('one');
    expect(b.runner.processes().map(({ job }) => job)).toEqual(['job-1', 'job-2']);
    await b.runner.step();
    await deliverUntil(b, 'one', isAt(b, 'working'));
    expect(b.runner.processes().map(({ at }) => at)).toEqual(['working', 'ended']);
    b.runner.tool = () => 'dies';
    expect(await b.toItsEnd('one')).toMatchObject({ lost: 'gone', record: { job: 'job-2' } });
    workedOnce(b);
  });
});
