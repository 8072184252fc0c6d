import { LockkeeperError } from '../../errors/error.ts';

/**
 * Builds a request path whose parts are escaped one by one, so that an id from a ledger or a plan can never reach another resource.
 *
 * @example path`/projects/${project}/branches/${branch}`
 * @throws LockkeeperError PROVIDER_INVALID when a part is empty, `.` or `..`: such a path would name the parent, and a DELETE the collection.
 */
export function path(fixed: TemplateStringsArray, ...parts: readonly string[]): string {
  return fixed.reduce((built, text, index) => built + segment(parts[index - 1] ?? '') + text);
}

function segment(part: string): string {
  if (part === '' || part === '.' || part === '..') {
    throw new LockkeeperError({
      code: 'PROVIDER_INVALID',
      message: `A request path cannot be built: an id in it is ${part === '' ? 'empty' : `\`${part}\``}.`,
    });
  }
  return encodeURIComponent(part);
}
