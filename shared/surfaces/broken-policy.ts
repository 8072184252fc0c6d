import type { Problem } from '../errors/error.ts';
import { policyPath } from '../policy/policy-file.ts';
import type { Check } from './check.ts';
import { code } from './escape.ts';
import { everyProblem } from './outcome.ts';
import { problemText } from './sections.ts';
import { shorten } from './shorten.ts';
import { count } from './words.ts';

const LONGEST_SUMMARY = 30_000;
const name = 'lockkeeper / policy';

/** The failed check of a commit whose event started nothing, because the policy has mistakes: each with its file, line and column. */
export function renderBrokenPolicy(broken: Problem): Check {
  const all = everyProblem(broken);
  const rows = all.map((problem) => `- ${problemText(problem)}`);
  const { text, left } = shorten([{ head: '\n', items: rows, tail: '', left: (n) => count(n, 'mistake'), rank: 0 }], LONGEST_SUMMARY);
  const cut = left.length === 0 ? '' : `\nLeft out for length: ${left.join(', ')}.\n`;
  return {
    name,
    title: `${count(all.length, 'mistake')} in ${policyPath}`,
    summary: `${code(policyPath)} on the default branch cannot be read, so nothing was started: no default stands in for it. Mend it there, then re-run this check.\n${text}${cut}`,
    text: '',
    conclusion: 'failure',
  };
}

/** The same check, asked for again once the policy was mended. */
export const renderMendedPolicy = (): Check => ({
  name,
  title: `${policyPath} can be read`,
  summary: `${code(policyPath)} on the default branch can be read now; what this commit starts has been started.`,
  text: '',
  conclusion: 'success',
});
