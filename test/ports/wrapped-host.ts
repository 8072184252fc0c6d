import { LockkeeperError } from '../../shared/errors/error.ts';
import type { CodeHost, HostDeliveries, HostSurfaces } from '../../shared/ports/code-host.ts';
import type { Life } from './mortal.ts';

export const unansweredHost = (): Error => new LockkeeperError({ code: 'PROVIDER_TIMEOUT', message: 'the test lost this answer' });

/** A repository's host of which fates see every question; what is only worked out, as an address is, is none. */
export function wrappedHost(life: Life, host: CodeHost): CodeHost {
  const asked = life.wrap('codeHost', host, unansweredHost);
  const { deliveries, surfaces, ...more } = host;
  const questions = Object.fromEntries(Object.keys(more).map((name) => [name, Reflect.get(asked, name)])) as unknown as CodeHost;
  return { ...questions, ...(surfaces ? { surfaces: surfacesOf(life, surfaces) } : {}), ...(deliveries ? { deliveries: deliveriesOf(life, deliveries) } : {}) };
}

function surfacesOf(life: Life, surfaces: HostSurfaces): HostSurfaces {
  const { upsertComment, upsertCheck } = life.wrap('codeHost', surfaces, unansweredHost);
  return { ...surfaces, upsertComment, upsertCheck };
}

function deliveriesOf(life: Life, deliveries: HostDeliveries): HostDeliveries {
  const { again } = life.wrap('codeHost', deliveries, unansweredHost);
  const pages = life.wrap('codeHost', { listed: (moment: number) => collected(deliveries.since(moment)) }, unansweredHost);
  return {
    again,
    async *since(moment) {
      yield* await pages.listed(moment);
    },
  };
}

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}
