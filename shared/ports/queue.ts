import type { ControlMessage } from '../../events/control-message.ts';
import type { LineMessage } from '../../events/line-message.ts';

/**
 * The two queues. No message carries a secret; every message may arrive twice, late, or in another order.
 *
 * @throws LockkeeperError STORE_UNREACHABLE; some or all of the messages may have been sent.
 */
export interface Queues {
  /** Wakes the controller for one intake or run, after `delaySeconds` (0 to 900). */
  control(message: ControlMessage, delaySeconds?: number): Promise<void>;
  /** Queues jobs for the line workers, ten to a request. */
  lines(messages: readonly LineMessage[], delaySeconds?: number): Promise<void>;
}
