import type { ProviderRequest } from '../../engine/op.ts';

/** A body as it goes over the wire. */
export interface WireBody {
  readonly type: string;
  readonly text: string;
}

type Bodied = Pick<ProviderRequest<unknown>, 'body' | 'encoding' | 'contentType'>;

/** What is sent of a request's body: JSON, or a form in which `a: { b: [c] }` reads `a[b][0]=c`. Nothing where there is none. */
export function wireBody({ body, encoding = 'json', contentType }: Bodied): { readonly body?: WireBody } {
  if (body === undefined) return {};
  if (encoding === 'json') return { body: { type: contentType ?? 'application/json', text: JSON.stringify(body) } };
  return { body: { type: contentType ?? 'application/x-www-form-urlencoded', text: new URLSearchParams(pairs(body)).toString() } };
}

function pairs(value: unknown, name = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return name === '' ? [] : [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, inside]) => pairs(inside, name === '' ? key : `${name}[${key}]`));
}
