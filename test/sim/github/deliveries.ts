import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { numberOf } from '../wire/answer.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { notFound } from './errors.ts';
import type { Delivery } from './state.ts';
import type { Webhook } from './webhook.ts';

/** Writes down an attempt to tell the app of an event. */
export function noteDelivery(scene: Scene, hook: Webhook, guid: string, status: number, redelivery = false): void {
  const { github, source } = scene.world;
  const action = typeof hook.payload['action'] === 'string' ? hook.payload['action'] : null;
  const id = numeric(source, 17_300_000_000);
  github.deliveries = [...(github.deliveries ?? []), { id, guid, at: scene.moment(), redelivery, status, event: hook.event, action }];
}

/** `GET /app/hook/deliveries`: newest first, a cursor leads to the older ones. */
export function listDeliveries(request: Incoming, scene: Scene): Answer {
  const all = (scene.world.github.deliveries ?? []).toReversed();
  const size = Math.min(numberOf(request.query, 'per_page', 30, 1, 100), scene.world.github.settings.pageSize);
  const [, at = '0'] = /^v1_(\d+)$/.exec(request.query.get('cursor') ?? '') ?? [];
  const from = Number(at);
  const next = from + size;
  const query = new URLSearchParams({ per_page: String(size), cursor: `v1_${next}` });
  const link: Record<string, string> = next < all.length ? { link: `<${scene.urls.github}${request.path}?${query}>; rel="next"` } : {};
  return { status: 200, headers: link, body: all.slice(from, next).map((one) => deliveryShape(scene, one)) };
}

/** `POST /app/hook/deliveries/{id}/attempts`: accepted, and done in its own time (`control.tellAgain`). */
export function askAgain(request: Incoming, scene: Scene): Answer {
  const { github } = scene.world;
  const id = Number(request.params['delivery']);
  if (!github.deliveries?.some((each) => each.id === id)) return notFound();
  github.askedAgain = [...(github.askedAgain ?? []), id];
  return { status: 202 };
}

function deliveryShape(scene: Scene, { id, guid, at, redelivery, status, event, action }: Delivery): Json {
  const { github } = scene.world;
  return {
    id,
    guid,
    delivered_at: iso(at),
    redelivery,
    duration: 0.27,
    status: status === 0 ? 'failed to connect to host' : status < 300 ? 'OK' : `Invalid HTTP Response: ${status}`,
    status_code: status,
    event,
    action,
    installation_id: github.app.installationId,
    repository_id: github.repositories[0]?.id ?? null,
    throttled_at: null,
  };
}
