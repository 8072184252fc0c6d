/** A provider in memory, of the usual make, for an adapter's tests: no socket, no fake cloud. */
import { LockkeeperError, type ProviderHttp, type ProviderRequest } from 'lockkeeper/adapter';

type Json = Readonly<Record<string, unknown>>;

/**
 * Paths whose last step ends with `s` are lists of objects: GET gives a page of them, POST makes one under a new id. Every other path is
 * an object: GET, PATCH (fields laid over those that are there) and DELETE.
 */
export interface MemoryApi extends ProviderHttp {
  /** Objects by their paths; a test may put some there. */
  readonly objects: Map<string, Json>;
  /** Method and path of every request so far. */
  readonly asked: readonly string[];
  /** What befalls the answer of the next write, which is performed all the same. */
  fault: 'lost' | 'nonsense' | undefined;
}

/** @param unique the field of which no two objects of a list may have the same value: a second create is refused. */
export function memoryApi({ unique, pageSize = 2 }: { readonly unique?: string; readonly pageSize?: number } = {}): MemoryApi {
  const objects = new Map<string, Json>();
  const asked: string[] = [];
  let made = 0;

  const inList = (list: string) => [...objects].filter(([path]) => path.slice(0, path.lastIndexOf('/')) === list).map(([, object]) => object);

  function perform({ method, path, query, body }: ProviderRequest<unknown>): unknown {
    const object = objects.get(path);
    if (/s$/.test(path)) return method === 'POST' ? create(path, body as Json) : page(path, Number(query?.['cursor'] ?? 0));
    if (!object) throw refused('PROVIDER_NOT_FOUND', `${path} is not there`);
    if (method === 'DELETE') objects.delete(path);
    if (method === 'PATCH' || method === 'PUT') objects.set(path, { ...(method === 'PATCH' ? object : {}), ...(body as Json), id: object['id'] });
    return objects.get(path) ?? {};
  }

  function create(list: string, body: Json): Json {
    if (unique !== undefined && inList(list).some((one) => one[unique] === body[unique])) throw refused('PROVIDER_CONFLICT', `that ${unique} is taken`);
    made += 1;
    const object = { ...body, id: `id-${made}` };
    objects.set(`${list}/${object.id}`, object);
    return object;
  }

  function page(list: string, start: number): Json {
    const all = inList(list);
    const end = start + pageSize;
    return { items: all.slice(start, end), next: end < all.length ? String(end) : null };
  }

  const api: MemoryApi = {
    objects,
    asked,
    fault: undefined,
    send: async (request) => {
      asked.push(`${request.method} ${request.path}`);
      const answer = perform(request);
      const { fault } = api;
      if (request.method !== 'GET' && fault !== undefined) {
        api.fault = undefined;
        throw refused(fault === 'lost' ? 'PROVIDER_TRANSIENT' : 'PROVIDER_RESPONSE', `the answer was ${fault}`);
      }
      const judged = request.answer.safeParse(answer);
      if (!judged.success) throw refused('PROVIDER_RESPONSE', `${request.method} ${request.path}: ${judged.error.message}`);
      return judged.data;
    },
  };
  return api;
}

const refused = (code: 'PROVIDER_NOT_FOUND' | 'PROVIDER_CONFLICT' | 'PROVIDER_TRANSIENT' | 'PROVIDER_RESPONSE', message: string): LockkeeperError =>
  new LockkeeperError({ code, message });
