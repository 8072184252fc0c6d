import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findEndpoint } from './endpoint.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that answers these documents by path, and 404 anywhere else. */
async function answering(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(url in answers ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an endpoint', () => {
  const health = { services: { s3: 'available' }, version: '4.2.0' };

  it('is known by its health, and by its name', async () => {
    const localstack = await answering({ '/_localstack/health': health });
    expect(await findEndpoint({ AWS_ENDPOINT_URL: `${localstack}/` })).toEqual({ url: localstack, version: 'LocalStack 4.2.0' });
    const ministack = await answering({ '/_localstack/health': health, '/_ministack/health': health });
    expect(await findEndpoint({ AWS_ENDPOINT_URL: ministack })).toEqual({ url: ministack, version: 'MiniStack 4.2.0' });
  });

  it('is not whatever else answers there, so that nothing is deployed to AWS or to a stranger', async () => {
    expect(await findEndpoint({ AWS_ENDPOINT_URL: await answering({}) })).toBeUndefined();
    expect(await findEndpoint({ AWS_ENDPOINT_URL: await answering({ '/_localstack/health': { status: 'ok' } }) })).toBeUndefined();
    expect(await findEndpoint({ AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })).toBeUndefined();
  });
});

describe('npm run test:localstack without an endpoint', () => {
  const run = (more: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'start.ts'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], AWS_ENDPOINT_URL: 'http://127.0.0.1:1', ...more },
    });

  it('skips, and says which commands give it one', () => {
    const { status, stderr } = run({});
    expect(status).toBe(0);
    expect(stderr).toContain('Skipped. No LocalStack-compatible endpoint answers at http://127.0.0.1:1 (');
    expect(stderr).toContain('test/localstack/ministack.sh npm run test:localstack');
  });

  it('fails where one is required', () => {
    const { status, stderr } = run({ LOCKKEEPER_REQUIRE_ENDPOINT: '1' });
    expect(status).toBe(1);
    expect(stderr).toContain('FAILED.');
  });

  it('refuses a flag it does not know', () => {
    expect(run({}, '--prove').status).toBe(2);
  });
});
