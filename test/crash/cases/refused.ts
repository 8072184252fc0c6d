import { LockkeeperError } from '../../../shared/errors/error.ts';

/** A provider's plain no. */
export const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'The provider refuses this.' });
