import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandEnd } from '../../../../shared/platform/command.ts';
import { readPulumi } from './pulumi.ts';
import { type Answers, failed, played, printed, recording } from './tool-read.fixture.ts';

const version = ['pulumi version', printed('v3.259.0\n')] as const;
const line = { tool: 'pulumi', root: { path: 'infra', stack: 'dev', varFiles: [] } } as const;
const read = (answers: Answers, resource?: string) => {
  const { asked, calls } = played(line, [version, ...answers], { read: 'refresh', ...(resource === undefined ? {} : { resource }) });
  return { found: readPulumi(asked), calls };
};
const down = readFileSync(join(import.meta.dirname, '../../../../test/recordings/pulumi/refresh-provider-down.ndjson'), 'utf8');

/** The same refresh, of one resource alone: what the stream says of it and of the stack, and a summary of that. */
function targeted(urn: string, end: 'same' | 'failed'): CommandEnd {
  const lines = readFileSync(join(import.meta.dirname, '../../../../test/recordings/pulumi/refresh-clean.ndjson'), 'utf8')
    .trim()
    .split('\n');
  const events = lines.map((text) => JSON.parse(text) as Record<string, { metadata?: { urn?: string } }>);
  const of = events.filter((event) => (event['resourcePreEvent'] ?? event['resOutputsEvent'])?.metadata?.urn === urn);
  const told = end === 'same' ? of : of.filter((event) => event['resourcePreEvent'] !== undefined);
  const summary = {
    sequence: 9,
    timestamp: 1796005127,
    summaryEvent: { resourceChanges: end === 'same' ? { same: 1 } : {}, ...(end === 'same' ? {} : { result: 'failed' }) },
  };
  const text = [...told, summary].map((event) => JSON.stringify(event)).join('\n');
  return end === 'same' ? printed(text) : failed('', text);
}

describe('a stack of Pulumi, read by a refresh that changes nothing', () => {
  it('is read of the stack that the line names, as a stream and without a lock (R2.11, R2.12)', async () => {
    const { found, calls } = read([['pulumi refresh', recording('pulumi/refresh-drift.ndjson')]]);
    const { records } = await found;
    expect(records.map(({ status }) => status).sort()).toEqual(['drifted', 'drifted', 'drifted', 'in-sync', 'in-sync', 'missing']);
    expect(JSON.stringify(records)).not.toContain('CANARY');
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual({
      line: 'pulumi refresh --preview-only --json --non-interactive --color never --stack dev',
      variables: expect.objectContaining({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true' }),
    });
  });

  it('reads what a failed refresh did not come to once more, each resource by itself, so that one that fails holds back itself alone (R3.22)', async () => {
    const whole = await read([['pulumi refresh', failed('', down)]]).found.catch((error: unknown) => error);
    const missed = (whole as { records: { address: string; status: string }[] }).records?.filter(({ status }) => status === 'not-observed');
    const [broken, ...others] = missed.map(({ address }) => address);
    expect(others.length).toBeGreaterThan(0);
    const one = (urn: string) => `pulumi refresh --preview-only --json --non-interactive --color never --stack dev --target ${urn}`;
    const { found, calls } = read([
      ...others.map((urn): Answers[number] => [one(urn), targeted(urn, 'same')]),
      [one(broken ?? ''), targeted(broken ?? '', 'failed')],
      ['pulumi refresh', failed('', down)],
    ]);
    const { records } = await found;
    expect(records.filter(({ status }) => status === 'not-observed').map(({ address }) => address)).toEqual([broken]);
    expect(calls.filter(({ line: said }) => said.includes('--target'))).toHaveLength(missed.length);
  });

  it('is one resource alone where one is asked for', async () => {
    const urn = 'urn:pulumi:dev::drift-demo::demo:index:Group::grp';
    const { found, calls } = read([['pulumi refresh', targeted(urn, 'same')]], urn);
    expect((await found).records.map(({ address, status }) => [address, status])).toEqual([[urn, 'in-sync']]);
    expect(calls.at(-1)?.line).toMatch(/--target urn:pulumi:dev::drift-demo::demo:index:Group::grp$/);
    const none = read([['pulumi refresh', targeted(urn, 'same')]], `${urn}2`);
    expect((await none.found).records).toEqual([
      expect.objectContaining({ status: 'not-observed', unobserved: expect.objectContaining({ reason: 'not-reached' }) }),
    ]);
  });

  it('is refused where that stack is not there, and reads no other one in its place (R3.31)', async () => {
    const { found } = read([['pulumi refresh', failed("error: no stack named 'dev' found", '', 'exit 6')]]);
    await expect(found).rejects.toMatchObject({ code: 'no-drift-read', message: expect.stringContaining('no stack dev') });
  });

  it.each([
    ['a wrong passphrase', 'error: getting stack configuration: get stack secrets manager: incorrect passphrase', 'PULUMI_CONFIG_PASSPHRASE'],
    ['something else', 'error: CANARY-in-clear', 'run `pulumi refresh --preview-only --stack dev` in infra'],
  ])('says what to do about %s, and no word of Pulumi', async (_, stderr, says) => {
    const { records } = await read([['pulumi refresh', failed(stderr)]]).found;
    expect(records[0]?.unobserved).toEqual({ reason: 'read-failed', detail: expect.stringContaining(says) });
    expect(JSON.stringify(records)).not.toContain('CANARY');
  });

  it('is not observed by a Pulumi that cannot stream', async () => {
    const { asked } = played(line, [['pulumi version', printed('v3.228.0')]], { read: 'refresh' });
    expect((await readPulumi(asked)).unread).toContain('3.229.0 is the least');
  });
});
