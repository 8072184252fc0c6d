import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configSetArgs, installArgs, versionArgs } from '../../../shared/stacks/pulumi/commands.ts';
import { leastVersions, versionFault } from '../../../shared/stacks/version.ts';
import type { Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed, pulumi, succeeded } from './call.ts';

/** @throws ToolFailed `tool-missing`, `tool-too-old`, `wrong-version` */
export async function versionOf(place: Workplace): Promise<string> {
  const { work } = place;
  const end = await pulumi(place, versionArgs);
  if (end.end !== 'exited') throw callFailed(place, end, { what: 'pulumi version', cause: 'tool-missing' });
  const found = /^v?(\d+\.\d+\.\d+\S*)\s*$/.exec(end.stdout.toString('utf8'))?.[1];
  const fault = versionFault('pulumi', found, work.version);
  if (fault === 'wrong') throw new ToolFailed({ cause: 'wrong-version', message: `The line wants pulumi ${work.version}, and there is ${found}.` });
  if (fault !== undefined)
    throw new ToolFailed({
      cause: 'tool-too-old',
      message: `pulumi has to be ${leastVersions.pulumi} or newer, and there is ${found ?? 'one that does not say its version'}.`,
    });
  return found ?? '';
}

/** The stack's name, as Pulumi takes it: `dev`, or with organization and project before it. */
export function stackOf({ work }: Workplace): string {
  if (work.root.stack === undefined) throw new ToolFailed({ cause: 'source-unusable', message: 'The line names no stack of the project.' });
  return work.root.stack;
}

/**
 * Packages and plugins of the program, and the configuration of the line in the private copy of the stack's settings. The backend is logged in
 * to by what policy puts into the environment, each time.
 *
 * @throws ToolFailed `source-unusable`, `init-failed`
 */
export async function prepare(place: Workplace): Promise<void> {
  const { work, root } = place;
  const stack = stackOf(place);
  if (!['yaml', 'yml', 'json'].some((ending) => existsSync(join(root, `Pulumi.${ending}`))))
    throw new ToolFailed({ cause: 'source-unusable', message: `There is no Pulumi project in ${work.root.path}.` });
  const installed = succeeded(place, await pulumi(place, installArgs), { what: 'pulumi install', cause: 'init-failed' });
  place.words.say(installed.stdout.toString('utf8'));
  for (const [name, value] of Object.entries(work.variables)) {
    const args = configSetArgs(stack, name, work.secretVariables.includes(name));
    // Pulumi takes one line break from the end.
    succeeded(place, await pulumi(place, args, { input: `${value}\n` }), { what: 'pulumi config set', cause: 'init-failed' });
  }
}
