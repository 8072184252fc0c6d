import { readdirSync } from 'node:fs';
import { initArgs, versionArgs, versionIn } from '../../../shared/stacks/terraform/commands.ts';
import { leastVersions, versionFault } from '../../../shared/stacks/version.ts';
import type { Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed } from './call.ts';
import type { Calls } from './calls.ts';
import { refusePassingState } from './state-place.ts';

/** @throws ToolFailed `tool-missing`, `tool-too-old`, `wrong-version` */
export async function usedVersion({ work: { tool, version: pinned } }: Workplace, { call }: Calls): Promise<string> {
  const end = await call(versionArgs);
  if (end.end === 'missing') throw new ToolFailed({ cause: 'tool-missing', message: `There is no ${tool} where the stack is planned and applied.` });
  if (end.end !== 'exited') throw callFailed(end, 'plan-failed', `${tool} version`);
  const found = versionIn(end.stdout.toString('utf8'));
  const fault = versionFault(tool, found, pinned);
  if (fault === 'wrong') throw new ToolFailed({ cause: 'wrong-version', message: `The line wants ${tool} ${pinned}, and there is ${found}.` });
  if (fault === undefined) return found ?? '';
  const there = fault === 'unknown' ? 'one that does not say its version' : found;
  throw new ToolFailed({ cause: 'tool-too-old', message: `${tool} has to be ${leastVersions[tool]} or newer, and there is ${there}.` });
}

/** `init`, which is for a private copy alone (R3.24). @throws ToolFailed `source-unusable`, `init-failed`, `no-backend` */
export async function prepareRoot(place: Workplace, { call, data }: Calls): Promise<void> {
  const {
    work: { tool, root },
    root: folder,
    words,
  } = place;
  const files = readdirSync(folder);
  if (!files.some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name)))
    throw new ToolFailed({ cause: 'source-unusable', message: `There is no root module in ${root.path}.` });
  const locked = files.includes('.terraform.lock.hcl');
  const end = await call([...initArgs, ...(locked ? ['-lockfile=readonly'] : [])]);
  if (end.end !== 'exited') throw callFailed(end, 'init-failed', `${tool} init`);
  words.say(end.stdout.toString('utf8'));
  words.say(end.stderr);
  if (end.exit === 0) return refusePassingState(place, data);
  const providers = locked ? 'providers have to be those of the lock file, ' : '';
  throw new ToolFailed({
    cause: 'init-failed',
    message: `${tool} init failed: the configuration has to be valid, ${providers}and backend, modules and providers have to be within reach.`,
  });
}
