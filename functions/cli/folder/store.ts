import { type Environment, s3Reads, s3Writes } from '../../../shared/platform/clients.ts';
import { s3Objects } from '../../../shared/platform/s3-objects.ts';
import type { Objects } from '../../../shared/ports/objects.ts';
import type { JobWorld } from '../../../shared/run/world.ts';
import { variable } from '../../variable.ts';
import { jobWorld } from '../../worlds.ts';

/** What a command reads and starts runs through: the ports, on whatever endpoints the variables name. */
export type Store = JobWorld & { readonly objects: Objects };

/** `environment`: the controller's variables, from the stack of this process or of the one that holds the folder. */
export function storeOf(environment: Environment): Store {
  const world = jobWorld(environment);
  const bucket = variable(environment, 'BUCKET_NAME');
  return { ...world, objects: s3Objects({ bucket, writes: s3Writes(environment), reads: s3Reads(environment), clock: world.clock }) };
}
