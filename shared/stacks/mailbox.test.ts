import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import { stackKeys } from '../../test/ports/stack-keys.ts';
import { applyWork } from '../../test/ports/tool-job-bench.ts';
import { sealingKey } from '../secrets/keys.ts';
import { openJobMailbox } from './job-mailbox.ts';
import { letterKey, letterSeal, type Mailbox, privateKeyOf, publicKeyOf, workerKey } from './mailbox.ts';
import { readToken, tokenOf } from './tool-token.ts';
import type { ToolOutcome } from './tool-work.ts';
import { askForEnd, closeLetter, handOver, readHello, readInput, readResult } from './worker-mailbox.ts';

const box: Mailbox = { purpose: 'apply', token: tokenOf('4f1c', 3, () => stackKeys.sealing.nonce()) };
const outcome: ToolOutcome = { format: 1, words: 'said', did: 'applied', changes: [], differs: [], outputs: {}, resources: ['a.b'] };

let seeds = 0;
const seed = (count: number): Uint8Array => createHash('sha512').update(String(++seeds)).digest().subarray(0, count);

function ends() {
  const bucket = memoryObjects();
  const worker = { objects: bucket.objects, keys: stackKeys };
  const job = (name: string) => openJobMailbox({ objects: bucket.objects, job: name, random: seed }, box);
  return { bucket, worker, job };
}

/** A job that said hello and was given its work. */
async function atWork() {
  const at = ends();
  const job = await at.job('job-1');
  const said = await readHello(at.worker, box);
  if (!job || !said || said === 'closed') throw new Error('nobody said hello');
  await handOver(at.worker, box, said, applyWork);
  return { ...at, own: job };
}

describe('the letters of a tool job (P9)', () => {
  test('go from one end to the other, and nobody reads them on the way', async () => {
    const { bucket, worker, own } = await atWork();
    expect(await own.input()).toEqual(applyWork);
    await own.answer(outcome);
    expect(await readResult(worker, box)).toEqual(outcome);
    expect(bucket.keys()).toEqual(['hello', 'input', 'result'].map((letter) => `tools/apply/${box.token}/${letter}`));
    const stored = bucket
      .keys()
      .flatMap((key) => bucket.bodies(key))
      .join();
    for (const secret of ['canary-of-a-variable', 'canary-of-a-role', 'said', Buffer.from('canary-of-a-role').toString('base64')])
      expect(stored).not.toContain(secret);
  });

  test('a second process of the token finds its hello taken; a hello whose answer was lost is recognised', async () => {
    const { bucket, job } = ends();
    bucket.faults.loseAnswer((call) => call.op === 'put', 'done');
    await expect(job('job-1')).rejects.toThrow();
    expect(await job('job-2')).toBeUndefined();
  });

  test('what lies there first stands: work that comes after the input was closed is nobody’s, and so is a closing after the work', async () => {
    const early = ends();
    const job = await early.job('job-1');
    await closeLetter(early.worker, box, 'input');
    await handOver(early.worker, box, { key: publicKeyOf(privateKeyOf(seed(32))) }, applyWork);
    expect([await job?.input(), await readInput(early.worker, box)]).toEqual(['closed', 'closed']);
    const late = await atWork();
    await closeLetter(late.worker, box, 'input');
    expect([await readInput(late.worker, box), await late.own.giveUp()]).toEqual(['given', applyWork]);
  });

  test('a hello that was closed before its process came lets none in', async () => {
    const { worker, job } = ends();
    await closeLetter(worker, box, 'hello');
    expect(await job('job-1')).toBeUndefined();
    expect(await readHello(worker, box)).toBe('closed');
  });

  test('a job that waits no longer closes its input by itself', async () => {
    const { worker, job } = ends();
    const own = await job('job-1');
    expect(await own?.input()).toBeUndefined();
    expect(await own?.giveUp()).toBe('closed');
    expect(await readInput(worker, box)).toBe('closed');
  });

  test('whoever asks for its end again is told since when it has been asked', async () => {
    const { worker, own } = await atWork();
    expect([await own.isCancelled(), await askForEnd(worker, box, 5000), await askForEnd(worker, box, 9000), await own.isCancelled()]).toEqual([
      false,
      5000,
      5000,
      true,
    ]);
  });

  test('an answer that was altered, that is none, or that is sealed to a key which the stack has no more is unreadable: nobody knows what the job did', async () => {
    const altered = await atWork();
    await altered.own.input();
    await altered.own.answer(outcome);
    const key = letterKey(box, 'result');
    const { sealed } = JSON.parse(altered.bucket.bodies(key).at(-1) ?? '') as { sealed: string };
    altered.bucket.plant(key, JSON.stringify({ format: 1, sealed: sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) }));
    expect(await readResult(altered.worker, box)).toBe('unreadable');
    altered.bucket.plant(key, '<html>');
    expect(await readResult(altered.worker, box)).toBe('unreadable');

    const none = await atWork();
    await none.own.input();
    await none.own.answer({ ...outcome, did: 'done' } as unknown as ToolOutcome);
    expect(await readResult(none.worker, box)).toBe('unreadable');

    const moved = await atWork();
    await moved.own.input();
    await moved.own.answer(outcome);
    const sealing = sealingKey('another sealing key that is long enough', seed);
    expect(await readResult({ ...moved.worker, keys: { sealing } }, box)).toBe('unreadable');
  });
});

describe('the keys of a mailbox', () => {
  const [one, two] = [privateKeyOf(seed(32)), privateKeyOf(seed(32))];
  const keyOf = (own: typeof one, other: typeof one, letter: 'input' | 'result' = 'input', at = box) =>
    Buffer.from(letterSeal(at, letter, own, publicKeyOf(other), () => seed(12)).key).toString('hex');

  test('both ends come to the same, whoever reckons', () => {
    expect(keyOf(one, two)).toBe(keyOf(two, one));
  });

  test('each letter, each mailbox and each pair of ends has its own', () => {
    const third = privateKeyOf(seed(32));
    const keys = [
      keyOf(one, two),
      keyOf(one, two, 'result'),
      keyOf(one, two, 'input', { ...box, token: `${box.token}x` }),
      keyOf(one, third),
      keyOf(one, two, 'input', { ...box, purpose: 'plan' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the worker’s is made of the stack’s key and the token, so that any worker of the line opens what an earlier one asked for', () => {
    const again = publicKeyOf(workerKey(stackKeys.sealing, box.token));
    expect(publicKeyOf(workerKey(stackKeys.sealing, box.token))).toBe(again);
    expect(publicKeyOf(workerKey(stackKeys.sealing, 'another'))).not.toBe(again);
    expect(publicKeyOf(workerKey(sealingKey('another sealing key that is long enough', seed), box.token))).not.toBe(again);
  });
});

describe('a token', () => {
  test('names its run and the place of its line, is no longer than a runner takes, and is another one each time', () => {
    const run = 'a'.repeat(32);
    const tokens = [0, 1].map(() => tokenOf(run, 9999, () => seed(12)));
    for (const token of tokens) {
      expect(readToken(token)).toEqual({ run, order: 9999 });
      expect(token.length).toBeLessThanOrEqual(64);
    }
    expect(new Set(tokens).size).toBe(2);
  });

  test.each(['', 'a', 'a-1', 'a-b-cccccccccccccccccccccc', 'a-1-short', '../a-1-cccccccccccccccccccccc'])('%j is none', (text) => {
    expect(readToken(text)).toBeUndefined();
  });
});
