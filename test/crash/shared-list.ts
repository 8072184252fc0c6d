import type { ProviderHttp } from '../../shared/engine/op.ts';

/** What is in the list from the beginning, and nobody of ours put there. */
export const theirs = 'https://theirs.example';

/** One object of a provider with a list in it, which is read and written as a whole. */
export interface SharedList {
  readonly http: ProviderHttp;
  /** The world begins again: it holds what it held at first. */
  begin(): void;
  items(): readonly string[];
  /** How often it was written. */
  writes(): number;
  /** Told of each write, and of what it puts into the list or takes out of it. */
  wrote: (moved: readonly string[]) => void;
}

export function sharedList(): SharedList {
  let origins: readonly string[] = [theirs];
  let writes = 0;
  const list: SharedList = {
    http: {
      async send({ method, body }) {
        if (method === 'GET') return structuredClone({ name: 'main', origins }) as never;
        const [before, after] = [origins, (body as { origins: string[] }).origins];
        origins = after;
        writes += 1;
        list.wrote([...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))]);
        return undefined as never;
      },
    },
    begin() {
      origins = [theirs];
    },
    items: () => origins,
    writes: () => writes,
    wrote: () => undefined,
  };
  return list;
}

/** What a line of this id adds to the list. */
export const originOf = (id: string): string => `https://${id}.example`;

/** A line that adds it. */
export const itemOf = (id: string) => ({
  id,
  adapter: 'http',
  op: 'list_item',
  api: 'login',
  parent: { path: '/config/auth', method: 'PATCH' },
  list_path: '/origins',
  item: originOf(id),
});
