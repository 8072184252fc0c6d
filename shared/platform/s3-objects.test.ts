import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { emulated } from '../../test/contract/endpoints.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import type { Objects } from '../ports/objects.ts';
import { s3Reads, s3Writes } from './clients.ts';
import { s3Objects } from './s3-objects.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A bucket that answers each request so: as S3 does whoever may not list it. */
async function bucketThat(status: number, code: string, more: { readonly unlisted?: true } = {}): Promise<Objects> {
  server = createServer((_request, response) => response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = { ...emulated, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return s3Objects({ bucket: 'objects', writes: s3Writes(environment), reads: s3Reads(environment), clock: manualClock(), ...more });
}

test('whoever may not list a bucket hears of what is not there that it is refused: a tool job takes that for nothing there', async () => {
  expect(await (await bucketThat(403, 'AccessDenied', { unlisted: true })).get('tools/plan/token/input')).toBeUndefined();
});

test('whoever may list it is told that it is refused, and a refused put is no put for anybody', async () => {
  const refused = { code: 'STORE_UNREACHABLE' };
  await expect((await bucketThat(403, 'AccessDenied')).get('runs/one')).rejects.toMatchObject(refused);
  server.close();
  const job = await bucketThat(403, 'AccessDenied', { unlisted: true });
  await expect(job.put('tools/apply/token/result', '{}', { ifAbsent: true })).rejects.toMatchObject(refused);
});
