import { z } from 'zod';
import type { Build, Builds } from '../builds/builds.ts';
import { arn } from '../template/place.ts';
import { type Operation, ServiceError } from './json-service.ts';

const variable = z.strictObject({ name: z.string(), value: z.string(), type: z.literal('PLAINTEXT').default('PLAINTEXT') });
// Strict: an override that is not acted on would be a build that is not what was asked for.
const startBuild = z.strictObject({
  projectName: z.string(),
  idempotencyToken: z.string().optional(),
  environmentVariablesOverride: z.array(variable).default([]),
  timeoutInMinutesOverride: z.int().min(5).max(2160).optional(),
});
const batchGetBuilds = z.looseObject({ ids: z.array(z.string()).min(1).max(100) });
const stopBuild = z.looseObject({ id: z.string() });

const idPattern = /^[\w-]+:[\w-]+$/;

/** CodeBuild, as far as it is called. */
export function buildOperations(builds: Builds): Record<string, Operation> {
  const operations: Record<string, Operation> = {
    StartBuild(given) {
      const { projectName, idempotencyToken, environmentVariablesOverride, timeoutInMinutesOverride } = startBuild.parse(given);
      const started = builds.start({
        project: projectName,
        variables: Object.fromEntries(environmentVariablesOverride.map(({ name, value }) => [name, value])),
        ...(idempotencyToken === undefined ? {} : { token: idempotencyToken }),
        ...(timeoutInMinutesOverride === undefined ? {} : { timeoutMinutes: timeoutInMinutesOverride }),
      });
      if (started === 'no project') throw new ServiceError('ResourceNotFoundException', `Project cannot be found: ${projectName}`);
      if (started === 'mismatch') throw new ServiceError('InvalidInputException', 'The token was used for a build with other parameters');
      return { build: shapeOf(started) };
    },
    BatchGetBuilds(given) {
      const { ids } = batchGetBuilds.parse(given);
      const wrong = ids.find((id) => !idPattern.test(id));
      if (wrong !== undefined) throw new ServiceError('InvalidInputException', `Invalid build ID: ${wrong}`);
      const found = ids.flatMap((id) => builds.find(id) ?? []);
      return { builds: found.map(shapeOf), buildsNotFound: ids.filter((id) => builds.find(id) === undefined) };
    },
    StopBuild(given) {
      const { id } = stopBuild.parse(given);
      const found = builds.stopBuild(id);
      if (!found) throw new ServiceError('ResourceNotFoundException', `Build cannot be found: ${id}`);
      return { build: shapeOf(found) };
    },
  };
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [`CodeBuild_20161006.${name}`, operation]));
}

const shapeOf = ({ id, project, status, startedAt, endedAt }: Build) => ({
  id,
  arn: arn('codebuild', `build/${id}`),
  projectName: project,
  buildStatus: status,
  currentPhase: status === 'IN_PROGRESS' ? 'BUILD' : 'COMPLETED',
  buildComplete: status !== 'IN_PROGRESS',
  startTime: startedAt / 1000,
  ...(endedAt === undefined ? {} : { endTime: endedAt / 1000 }),
});
