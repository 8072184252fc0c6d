import { createHmac, randomUUID } from 'node:crypto';
import type { Webhook } from './webhook.ts';

/** One delivery: where it went, under which id, and what came back. */
export interface Delivery {
  /** `X-GitHub-Delivery`; the same again when it is redelivered. */
  readonly id: string;
  readonly event: string;
  readonly status: number;
  readonly body: string;
}

/** The value of `X-Hub-Signature-256` for a body, as GitHub computes it. */
export function sign(body: string | Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The headers GitHub sends with a body. */
export function deliveryHeaders(event: string, body: string | Uint8Array, secret: string, id: string, installationTarget = 1_204_512): Record<string, string> {
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/4c1a9e2',
    'x-github-delivery': id,
    'x-github-event': event,
    'x-github-hook-id': '512340987',
    'x-github-hook-installation-target-id': String(installationTarget),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature-256': sign(body, secret),
  };
}

/** Sends a webhook as GitHub does, signed. Rejects when nobody listens at the address. */
export async function deliver(to: string, hook: Webhook, secret: string, id: string = randomUUID()): Promise<Delivery> {
  const body = JSON.stringify(hook.payload);
  const answer = await fetch(to, { method: 'POST', body, headers: deliveryHeaders(hook.event, body, secret, id) });
  return { id, event: hook.event, status: answer.status, body: await answer.text() };
}
