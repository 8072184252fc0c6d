import { BatchGetBuildsCommand, type Build, type CodeBuildClient, StartBuildCommand, StopBuildCommand } from '@aws-sdk/client-codebuild';
import { LockkeeperError } from '../errors/error.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolJobState, ToolPurpose, ToolRunner } from '../ports/tool-runner.ts';
import { tokenVariable } from '../stacks/job-environment.ts';
import { exceptionOf, failureOf, unreachable } from './failure.ts';

export interface CodebuildRunnerOptions {
  /** One attempt a request: a start that is sent again must be the same start. */
  readonly client: CodeBuildClient;
  readonly projects: Readonly<Record<ToolPurpose, string>>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** CodeBuild's own bounds of a build's time, minutes. */
const [leastMinutes, mostMinutes] = [5, 480];
const attempts = 3;
const pause = 500;
/** Where the account's builds are all in use, s. */
const busy = 60;

/**
 * Tool jobs as builds of CodeBuild. A start names the token alone: it is the client token too, so that a start whose answer was lost is found
 * again within CodeBuild's five minutes. A later one makes a second build, which finds the mailbox of its token taken and ends (P9).
 *
 * @throws LockkeeperError STORE_UNREACHABLE; PROVIDER_AGAIN, with `details.at` (epoch ms), where no more builds may run at once.
 */
export function codebuildRunner({ client, projects, clock }: CodebuildRunnerOptions): ToolRunner {
  async function start(token: string, project: string, minutes: number): Promise<string> {
    const command = () =>
      new StartBuildCommand({
        projectName: project,
        idempotencyToken: token,
        environmentVariablesOverride: [{ name: tokenVariable, value: token, type: 'PLAINTEXT' }],
        timeoutInMinutesOverride: minutes,
      });
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { build } = await client.send(command());
        if (build?.id) return build.id;
        throw new Error('the answer names no build');
      } catch (error) {
        if (exceptionOf(error) === 'AccountLimitExceededException') throw tooMany(clock.now() + busy * 1000, error);
        if (failureOf(error) === 'refused' || attempt === attempts) throw unreachable(`starting a build of ${project}`, error);
        await clock.sleep(pause * 2 ** (attempt - 1));
      }
    }
  }

  return {
    start: ({ token, purpose, timeoutMs }) => start(token, projects[purpose], Math.min(mostMinutes, Math.max(leastMinutes, Math.ceil(timeoutMs / 60_000)))),
    async state(job) {
      try {
        const { builds = [] } = await client.send(new BatchGetBuildsCommand({ ids: [job] }));
        return stateOf(builds.find(({ id }) => id === job));
      } catch (error) {
        if (exceptionOf(error) === 'InvalidInputException') return 'unknown';
        throw unreachable(`asking for the build ${job}`, error);
      }
    },
    async stop(job) {
      try {
        await client.send(new StopBuildCommand({ id: job }));
      } catch (error) {
        if (['ResourceNotFoundException', 'InvalidInputException'].includes(exceptionOf(error))) return;
        throw unreachable(`stopping the build ${job}`, error);
      }
    },
  };
}

/** https://docs.aws.amazon.com/codebuild/latest/APIReference/API_Build.html: a build in the queue is in progress, too. */
function stateOf(build: Build | undefined): ToolJobState {
  switch (build?.buildStatus) {
    case 'SUCCEEDED':
      return 'succeeded';
    case 'FAILED':
    case 'FAULT':
      return 'failed';
    case 'STOPPED':
      return 'stopped';
    case 'TIMED_OUT':
      return 'timed-out';
    case 'IN_PROGRESS':
      return build.currentPhase === 'SUBMITTED' || build.currentPhase === 'QUEUED' ? 'queued' : 'running';
    default:
      return 'unknown';
  }
}

const tooMany = (at: number, cause: unknown): LockkeeperError =>
  new LockkeeperError(
    { code: 'PROVIDER_AGAIN', message: 'CodeBuild runs as many builds as this account may have at once.', details: { provider: 'codebuild', at } },
    { cause },
  );
