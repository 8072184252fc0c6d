import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { s3Reads, s3Writes } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import { jobPlaceOf } from '../../shared/stacks/job-environment.ts';
import { type ProgramOptions, runJob } from './program.ts';

/**
 * One tool job: started by a tool runner with a token, and told everything else through its mailbox. Says nothing on its output: what the
 * tool prints is secret.
 *
 * @param times other than the usual ones.
 */
export async function startJob(times?: ProgramOptions['times']): Promise<void> {
  const environment = { ...process.env };
  const tmp = tmpdir();
  const place = jobPlaceOf(environment);
  try {
    await runJob({
      place,
      objects: s3Objects({ bucket: place.bucket, writes: s3Writes(environment), reads: s3Reads(environment), clock: systemClock, unlisted: true }),
      random: randomBytes,
      clock: systemClock,
      path: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      // The embedded stack runs the tools of the machine it is on; AWS's image has none.
      fetchesTool: environment['EMBEDDED_STACK'] !== 'yes',
      tmp,
      ...(times ? { times } : {}),
    });
  } catch (error) {
    console.error(`The job ended without an answer: ${error instanceof Error ? error.name : 'no error'}.`);
    process.exitCode = 1;
  }
}
