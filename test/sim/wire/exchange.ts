import type { Answer, Incoming } from './answer.ts';
import type { Provider } from './rule.ts';

/**
 * A request that arrived, with its headers, and the answer once it is sent. It has none while it is held, when it was cut off,
 * and when the answer was broken on purpose.
 */
export interface Exchange {
  readonly provider: Provider;
  readonly request: Incoming;
  answer?: Answer;
}
