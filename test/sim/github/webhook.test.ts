import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { verify } from '@octokit/webhooks-methods';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { demo } from '../seed.ts';
import { type Sim, startSim } from '../sim.ts';
import { sign } from './deliver.ts';
import type { WebhookKind } from './webhook.ts';

let sim: Sim;
let number: number;
let sha: string;
let check: number;
beforeEach(async () => {
  sim = await startSim();
  sha = sim.control.edit('github.push', { branch: 'feat/cart', files: { 'release.plan.yaml': 'x' } }).sha;
  ({ number } = sim.control.edit('github.open', { branch: 'feat/cart' }));
  const made = await ask('POST', `${sim.urls.github}/repos/acme/storefront/check-runs`, { name: 'lockkeeper / preview', head_sha: sha, external_id: 'run' });
  check = (made.json as { id: number }).id;
});
afterEach(() => sim.stop());

const hooks = (): [WebhookKind, string | undefined, ReturnType<Sim['control']['webhook']>][] => [
  ['pull_request.opened', 'opened', sim.control.webhook('pull_request.opened', { number })],
  ['pull_request.reopened', 'reopened', sim.control.webhook('pull_request.reopened', { number })],
  ['pull_request.closed', 'closed', sim.control.webhook('pull_request.closed', { number })],
  ['pull_request.synchronize', 'synchronize', sim.control.webhook('pull_request.synchronize', { number, before: demo.mainCommit })],
  ['deployment_status', 'created', sim.control.webhook('deployment_status', { sha, url: 'https://x.vercel.app' })],
  ['ping', undefined, sim.control.webhook('ping', {})],
  ['push', undefined, sim.control.webhook('push', { branch: 'feat/cart', before: demo.mainCommit })],
  ['check_suite.rerequested', 'rerequested', sim.control.webhook('check_suite.rerequested', { sha })],
  ['issue_comment.created', 'created', sim.control.webhook('issue_comment.created', { number, body: '/lockkeeper retry' })],
  ['check_run.rerequested', 'rerequested', sim.control.webhook('check_run.rerequested', { id: check })],
];

describe('webhooks', () => {
  it('hold every key that all of GitHub’s examples of the kind hold, with a value of the same type', () => {
    for (const [kind, action, hook] of hooks()) {
      const known = examplesOf(hook.event, action);
      expect([kind, known.length > 0]).toEqual([kind, true]);
      // Which permissions an app asked for is its own affair.
      expect([kind, lacking(known, hook.payload, '$').filter((lack) => !lack.includes('.app.permissions.'))]).toEqual([kind, []]);
    }
  });

  it('tell what the cloud holds', () => {
    const [, , synchronize] = hooks()[3] ?? [];
    expect(synchronize?.payload).toMatchObject({
      action: 'synchronize',
      before: demo.mainCommit,
      after: sha,
      repository: { id: demo.repositoryId, full_name: 'acme/storefront' },
      pull_request: { head: { sha, ref: 'feat/cart' } },
      installation: { id: demo.installationId },
    });
    const [, , deployed] = hooks()[4] ?? [];
    expect(deployed?.payload).toMatchObject({ deployment: { sha }, deployment_status: { state: 'success', environment_url: 'https://x.vercel.app' } });
  });

  it('are refused for a pull request that is not there', () => {
    expect(() => sim.control.webhook('pull_request.opened', { number: 99 })).toThrow('there is no pull request 99 in acme/storefront');
  });
});

describe('deliveries', () => {
  it('are signed so that GitHub’s own verification accepts them', async () => {
    expect(await verify('secret', '{"a":1}', sign('{"a":1}', 'secret'))).toBe(true);
    expect(await verify('other', '{"a":1}', sign('{"a":1}', 'secret'))).toBe(false);
  });

  it('arrive with GitHub’s headers, and once more under the same id when redelivered', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(202).end('queued');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/github`;
    const delivery = await sim.control.deliver(to, sim.control.webhook('pull_request.opened', { number }), 'secret');
    expect(delivery).toMatchObject({ event: 'pull_request', status: 202, body: 'queued' });
    const again = await ask('POST', `${sim.controlUrl}/redeliver`, { id: delivery.id });
    expect(again).toMatchObject({ status: 200, json: { id: delivery.id, status: 202 } });
    expect((await ask('POST', `${sim.controlUrl}/redeliver`, { id: 'none' })).status).toBe(400);
    server.close();
    expect(received).toHaveLength(2);
    for (const { headers, body } of received) {
      expect(headers).toMatchObject({ 'x-github-event': 'pull_request', 'x-github-delivery': delivery.id, 'content-type': 'application/json' });
      expect(await verify('secret', body, String(headers['x-hub-signature-256']))).toBe(true);
    }
  });
});

function examplesOf(event: string, action: string | undefined): unknown[] {
  const found = (examples as unknown as { name: string; examples: { action?: string }[] }[]).find((each) => each.name === event)?.examples ?? [];
  return found.filter((example) => example.action === action);
}

/** Where a payload lacks what all examples have, or has another type than any of them. */
function lacking(known: readonly unknown[], mine: unknown, at: string): string[] {
  const objects = known.filter((each): each is Record<string, unknown> => kindOf(each) === 'object');
  if (objects.length === 0 || kindOf(mine) !== 'object') return [];
  const shared = Object.keys(objects[0] ?? {}).filter((key) => objects.every((each) => Object.hasOwn(each, key)));
  return shared.flatMap((key) => {
    const theirs = objects.map((each) => each[key]);
    if (!Object.hasOwn(mine as object, key)) return [`${at}.${key}: missing`];
    const value = (mine as Record<string, unknown>)[key];
    const kinds = new Set(theirs.map(kindOf));
    // A value that is null on one side only says nothing about its type.
    const fits = value === null || kinds.has(kindOf(value)) || (kinds.size === 1 && kinds.has('null'));
    return fits ? lacking(theirs, value, `${at}.${key}`) : [`${at}.${key}: ${kindOf(value)} instead of ${[...kinds].join(' or ')}`];
  });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
