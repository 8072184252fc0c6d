import { afterEach, describe, expect, it, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { type ScriptedEndpoint, type ScriptedRequest, scriptedEndpoint } from '../../test/contract/scripted-endpoint.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import { codebuild } from './clients.ts';
import { codebuildRunner } from './codebuild-runner.ts';

type Answer = { status?: number; body: unknown };

let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.stop());
const clock = manualClock(1_000);

async function runnerOn(answer: (request: ScriptedRequest) => Answer): Promise<ToolRunner> {
  endpoint = await scriptedEndpoint(answer);
  const client = codebuild({ ...emulated, AWS_ENDPOINT_URL_CODEBUILD: endpoint.url });
  return codebuildRunner({ client, projects: { plan: 'plans', apply: 'applies' }, clock });
}

const started: Answer = { body: { build: { id: 'applies:1' } } };
const refused = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'no' } });
const request = { token: 'run-0-token', purpose: 'apply', timeoutMs: 600_000 } as const;

describe('a tool job in CodeBuild', () => {
  it('is started with its token and its time, and nothing else: the token is the client token, too', async () => {
    const runner = await runnerOn(() => started);
    expect(await runner.start(request)).toBe('applies:1');
    expect(endpoint.requests).toEqual([
      {
        operation: 'StartBuild',
        input: {
          projectName: 'applies',
          idempotencyToken: 'run-0-token',
          environmentVariablesOverride: [{ name: 'LOCKKEEPER_TOOL_TOKEN', value: 'run-0-token', type: 'PLAINTEXT' }],
          timeoutInMinutesOverride: 10,
        },
      },
    ]);
  });

  it('is given the least and the most time that CodeBuild takes', async () => {
    const runner = await runnerOn(() => started);
    for (const timeoutMs of [1, 301_000, 99 * 3_600_000]) await runner.start({ ...request, timeoutMs });
    expect(endpoint.requests.map(({ input }) => input['timeoutInMinutesOverride'])).toEqual([5, 6, 480]);
  });

  it('is started with the very same request where the answer was lost, three times in all (P9)', async () => {
    const answers = [{ status: 500, body: {} }, { status: 503, body: {} }, started];
    const runner = await runnerOn(() => answers.shift() ?? started);
    expect(await runner.start(request)).toBe('applies:1');
    expect(new Set(endpoint.requests.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(endpoint.requests).toHaveLength(3);
    await endpoint.stop();
    const silent = await runnerOn(() => ({ status: 500, body: {} }));
    await expect(silent.start(request)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(endpoint.requests).toHaveLength(3);
  });

  it('comes back a minute later where the account runs no more builds, and is not asked for again when it is refused', async () => {
    const full = await runnerOn(() => refused('AccountLimitExceededException'));
    await expect(full.start(request)).rejects.toMatchObject({ code: 'PROVIDER_AGAIN', problem: { details: { at: clock.now() + 60_000 } } });
    await endpoint.stop();
    const denied = await runnerOn(() => refused('AccessDeniedException'));
    await expect(denied.start(request)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(endpoint.requests).toHaveLength(1);
  });

  test.each([
    ['SUCCEEDED', 'COMPLETED', 'succeeded'],
    ['FAILED', 'COMPLETED', 'failed'],
    ['FAULT', 'COMPLETED', 'failed'],
    ['STOPPED', 'COMPLETED', 'stopped'],
    ['TIMED_OUT', 'COMPLETED', 'timed-out'],
    ['IN_PROGRESS', 'SUBMITTED', 'queued'],
    ['IN_PROGRESS', 'QUEUED', 'queued'],
    ['IN_PROGRESS', 'PROVISIONING', 'running'],
    ['IN_PROGRESS', 'BUILD', 'running'],
  ])('that is %s in phase %s is %s', async (buildStatus, currentPhase, state) => {
    const runner = await runnerOn(() => ({ body: { builds: [{ id: 'applies:1', buildStatus, currentPhase }] } }));
    expect(await runner.state('applies:1')).toBe(state);
  });

  it('is unknown where CodeBuild knows none of that name, and is not when it cannot be asked', async () => {
    const none = await runnerOn(() => ({ body: { builds: [], buildsNotFound: ['applies:1'] } }));
    expect(await none.state('applies:1')).toBe('unknown');
    await endpoint.stop();
    const silent = await runnerOn(() => ({ status: 500, body: {} }));
    await expect(silent.state('applies:1')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it('that is gone needs no stop; one that cannot be stopped is said', async () => {
    const gone = await runnerOn(() => refused('ResourceNotFoundException'));
    await gone.stop('applies:1');
    expect(endpoint.requests).toEqual([{ operation: 'StopBuild', input: { id: 'applies:1' } }]);
    await endpoint.stop();
    const denied = await runnerOn(() => refused('AccessDeniedException'));
    await expect(denied.stop('applies:1')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});
