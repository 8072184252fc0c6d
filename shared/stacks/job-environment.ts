import type { ToolPurpose } from '../ports/tool-runner.ts';

/** The one variable that the start of a job sets: everything else is the project's, the same for each job, and none of it is secret. */
export const tokenVariable = 'LOCKKEEPER_TOOL_TOKEN';
/** The project's own. */
export const purposeVariable = 'LOCKKEEPER_TOOL_PURPOSE';
export const bucketVariable = 'BUCKET_NAME';
/** Set by CodeBuild, and by the emulator of it. */
export const jobVariable = 'CODEBUILD_BUILD_ID';

/** Where a job finds its mailbox, and who it is. */
export interface JobPlace {
  readonly purpose: ToolPurpose;
  readonly token: string;
  readonly bucket: string;
  /** The runner's id of this process, by which it is stopped. */
  readonly job: string;
}

/**
 * What a job is told by its environment, and by nothing else.
 *
 * @throws Error where it was not started as a job.
 */
export function jobPlaceOf(environment: Readonly<Record<string, string | undefined>>): JobPlace {
  const named = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new Error(`the variable ${name} is not set: this program is started by a tool runner`);
  };
  const purpose = named(purposeVariable);
  if (purpose !== 'plan' && purpose !== 'apply') throw new Error(`${purposeVariable} is ${purpose}: it must be plan or apply`);
  return { purpose, token: named(tokenVariable), bucket: named(bucketVariable), job: named(jobVariable) };
}
