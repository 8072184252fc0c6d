import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Invocation } from '../invocation.ts';

/** @throws LockkeeperError USAGE for ways of printing that exclude each other. */
export function judgePrinting({ stream, text, json }: Pick<Invocation, 'stream' | 'text' | 'json'>): void {
  const named = [stream ? '--stream' : '', text ? '--text' : '', json ? '--json' : ''].filter((flag) => flag !== '');
  if (named.length > 1)
    throw new LockkeeperError({ code: 'USAGE', message: `${named.join(' and ')} are two ways to print the same.`, hint: 'Leave one of them out.' });
}
