import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { z } from 'zod';
import type { Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';

/** What `init` notes of the backend in the tool's data folder; there is no such file where the root declares none. */
const noted = z.object({
  backend: z.object({
    type: z.string(),
    config: z.object({ path: z.string().nullish(), workspace_dir: z.string().nullish() }).loose().nullish(),
  }),
});

/**
 * A state in the private copy goes away with the job, and with it all knowledge of what was made: each apply would make everything anew, and a
 * destroy find nothing to delete (I3, I8). A file elsewhere outlives the job on a person's own machine alone.
 *
 * @param data the tool's data folder, after `init`.
 * @throws ToolFailed `no-backend`
 */
export function refusePassingState(place: Pick<Workplace, 'work' | 'source' | 'machine'>, data: string): void {
  const why = whyItPasses(place, data);
  if (why !== undefined) throw new ToolFailed({ cause: 'no-backend', message: `The state of ${place.work.root.path} would go away with the job: ${why}.` });
}

function notedIn(text: string): z.infer<typeof noted>['backend'] | undefined {
  try {
    return noted.safeParse(JSON.parse(text)).data?.backend;
  } catch {
    return undefined;
  }
}

function whyItPasses({ work, source, machine }: Pick<Workplace, 'work' | 'source' | 'machine'>, data: string): string | undefined {
  const file = join(data, 'terraform.tfstate');
  if (!existsSync(file)) return 'its root declares no backend';
  const backend = notedIn(readFileSync(file, 'utf8'));
  if (backend === undefined) return 'what its tool has noted of the backend cannot be read';
  if (backend.type !== 'local') return undefined;
  if (machine === 'passing') return 'its backend is `local`, and the machine that the job runs on goes away, too';
  const workspace = work.root.stack ?? work.environment['TF_WORKSPACE'] ?? 'default';
  const [path, name] = workspace === 'default' ? [backend.config?.path, 'path'] : [backend.config?.workspace_dir, 'workspace_dir'];
  const isKept = path && isAbsolute(path) && relative(dirname(source), path).startsWith('..');
  return isKept ? undefined : `its backend is \`local\`, without an absolute \`${name}\` outside of the repository`;
}
