/** An answer as a test looks at it. */
export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

/** Sends one request with a bearer token. Rejects when the connection breaks. */
export async function ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Asked> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, ...sent, headers: { authorization: 'Bearer some-token', 'content-type': 'application/json', ...headers } });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
}

/** Reads a value out of JSON by its path: `at(body, 'branch', 'id')`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined),
    value,
  );
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
