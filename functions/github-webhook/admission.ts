import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AllowList } from './allow-list.ts';
import { type Happening, readEvent } from './intake-of.ts';
import { isSignedBy } from './signature.ts';

/**
 * Largest body that is looked at, in bytes. GitHub sends up to 25 MB and Lambda takes 6 MB, but the events handled here
 * stay well below 512 KiB with the longest text a pull request can have; more is only work for whoever floods the address.
 */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface AdmissionRules {
  readonly secret: () => Promise<string>;
  readonly allows: AllowList;
}

/** `reason` is a sentence from a closed set, for the log line and the sender. */
export type Verdict =
  | { readonly admitted: true; readonly delivery: string; readonly happening: Happening }
  | { readonly admitted: false; readonly status: 200 | 204 | 400 | 401 | 403 | 413; readonly reason: string };

const refused = (status: Exclude<Verdict, { admitted: true }>['status'], reason: string): Verdict => ({ admitted: false, status, reason });

/** The checks of a delivery, in their order: nothing is parsed before it is signed, nothing is stored before all have passed. */
export async function admit(event: APIGatewayProxyEventV2, rules: AdmissionRules): Promise<Verdict> {
  if (bodyBytes(event) > MAX_BODY_BYTES) return refused(413, 'the body is too large');

  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (!isSignedBy(await rules.secret(), bytes, event.headers['x-hub-signature-256']))
    return refused(401, 'the signature does not match: compare the webhook secret here and at GitHub');

  const payload = parsed(bytes);
  if (payload === undefined) return refused(400, 'the body is no JSON object: set the webhook’s content type to application/json');

  const name = event.headers['x-github-event'] ?? '';
  if (name === 'ping') return refused(200, 'pong');
  const happening = readEvent(name, payload);
  if (happening === 'nothing') return refused(204, 'the event starts nothing');

  const delivery = event.headers['x-github-delivery'] ?? '';
  if (happening === undefined || !/^[\w-]{1,128}$/.test(delivery)) return refused(400, 'the event is not of the documented shape');

  if (!rules.allows(happening.repository)) return refused(403, 'the repository is not on the allow-list: add it to REPOSITORIES');
  return { admitted: true, delivery, happening };
}

/** Size of the raw body, found without decoding it. */
function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number {
  return isBase64Encoded ? Buffer.byteLength(body, 'base64') : Buffer.byteLength(body, 'utf8');
}

function parsed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
