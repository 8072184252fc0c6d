import { createHash } from 'node:crypto';
import type { Seen } from '../stage.ts';

interface Link {
  readonly format?: unknown;
  readonly run?: unknown;
  readonly ledger?: unknown;
  readonly fence?: unknown;
  readonly previous?: unknown;
}

/** I6: every receipt parses, each names the digest of the one it replaces, and fences do not go back. */
export function brokenReceipts({ bench: { bucket } }: Seen): string[] {
  const receipts = bucket.keys().filter((key) => key.startsWith('receipts/'));
  const unread = receipts.flatMap((key) => bucket.bodies(key).flatMap((body) => (linkOf(body) ? [] : [`I6: ${key} is no receipt`])));
  return [...unread, ...receipts.filter((key) => key.endsWith('/latest.json')).flatMap((key) => gapsIn(key, bucket.bodies(key)))];
}

function linkOf(body: string): Link | undefined {
  const parsed = JSON.parse(body) as Link;
  return parsed.format === 1 && typeof parsed.run === 'string' && Array.isArray(parsed.ledger) ? parsed : undefined;
}

function gapsIn(key: string, bodies: readonly string[]): string[] {
  const links = bodies.map((body) => JSON.parse(body) as Link);
  return links.flatMap((link, at) => {
    const before =
      at === 0
        ? null
        : createHash('sha256')
            .update(bodies[at - 1] as string)
            .digest('hex');
    return [
      ...(link.previous === before ? [] : [`I6: version ${at} of ${key} does not name the one before it`]),
      ...(at > 0 && Number(link.fence) < Number(links[at - 1]?.fence) ? [`I6: version ${at} of ${key} has an older fence`] : []),
    ];
  });
}
