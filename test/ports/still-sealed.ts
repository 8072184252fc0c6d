import type { Item } from '../../shared/ports/table.ts';
import { sealedUnder } from '../../shared/secrets/seal.ts';
import { stackKeys } from './stack-keys.ts';

/**
 * Items of runs that hold what somebody with the stack's key can still open: the set of a run's secrets, in which the salt of the run's key
 * lies, or outputs sealed under the stack's key itself. What was sealed under a run's key is nothing once the set is gone (I1).
 */
export const stillSealed = (items: readonly Item[]): Item[] =>
  items.filter(
    ({ pk, sk, sealed }) => pk.startsWith('RUN#') && (sk === 'SEALED' || (typeof sealed === 'string' && sealedUnder(sealed) === stackKeys.sealing.id)),
  );
