import { LockkeeperError } from '../../../shared/errors/error.ts';

/** Stops the start: the template holds something the embedded stack does not run. `where` names the logical id. */
export function unsupported(where: string, what: string): LockkeeperError {
  return new LockkeeperError({ code: 'TEMPLATE_UNSUPPORTED', message: `${where}: ${what}`, details: { where } });
}
