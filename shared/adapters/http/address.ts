type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The full address of a request: the adapter's base URL, which may carry a path of its own, then path and query. Undefined entries are left out. */
export function addressOf(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
