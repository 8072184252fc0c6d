import { LockkeeperError } from '../errors/error.ts';

/** The files of a commit, packed and compressed: what is held in memory by a step, and unpacked by a job. */
export const largestSourceBytes = 64 * 1024 * 1024;

export const sourceTooLarge = (): LockkeeperError =>
  new LockkeeperError({ code: 'SOURCE_TOO_LARGE', message: `The repository's files are more than ${largestSourceBytes / 1024 / 1024} MB, packed.` });
