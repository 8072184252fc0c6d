import type { Problem } from '../errors/error.ts';
import { policyPath } from '../policy/policy-file.ts';
import { readPolicy } from '../policy/read.ts';
import type { FileAnswer } from '../ports/code-host.ts';
import { count } from '../surfaces/words.ts';
import type { Planned } from './load-plan.ts';
import type { ControlWorld } from './world.ts';

/**
 * What is said of a pull request that changes the policy: it is judged by the one that stands, and what it would change holds from the
 * merge on. Whoever reviews it hears of it, and of the mistakes that would then stop every run.
 */
export async function policyChanged({ codeHost }: Pick<ControlWorld, 'codeHost'>, run: Planned): Promise<Problem[]> {
  const { repository, commit, pullRequest } = run;
  if (pullRequest === undefined) return [];
  const tip = await codeHost.defaultTip(repository);
  if (tip === undefined) return [];
  const [proposed, standing] = await Promise.all([codeHost.file(repository, policyPath, commit), codeHost.file(repository, policyPath, tip)]);
  if (same(proposed, standing)) return [];
  // Otherwise, too, where only the default branch has moved on.
  const parted = await codeHost.mergeBase(repository, commit, tip);
  if (parted !== undefined && parted !== tip && same(proposed, await codeHost.file(repository, policyPath, parted))) return [];
  return [{ code: 'POLICY_CHANGED', message: `This pull request ${whatOf(proposed, standing)} ${policyPath}. ${mistakesIn(proposed)}`.trim() }];
}

function whatOf(proposed: FileAnswer, standing: FileAnswer): string {
  if (proposed === undefined) return 'removes';
  return standing === undefined ? 'adds' : 'changes';
}

function mistakesIn(proposed: FileAnswer): string {
  if (proposed === undefined) return '';
  if (proposed === 'not-a-file') return 'It is no file there: merged like that, it stops every run.';
  const { problems } = readPolicy(proposed, policyPath);
  const [first] = problems;
  if (first === undefined) return '';
  const place = first.at ? `${first.at.line}:${first.at.column} ` : '';
  return `It has ${count(problems.length, 'mistake')}, and merged like that it stops every run: ${place}${first.message}.`;
}

const same = (a: FileAnswer, b: FileAnswer): boolean => a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0);
