/** Checks that pass without saying that anything was done. */
import { type Check, checkName } from './check.ts';

/** The check of a commit whose event touches no environment. */
export const renderNothingToDo = (): Check => ({
  name: 'lockkeeper',
  title: 'Nothing to do',
  summary: 'The policy on the default branch lets this event touch no environment.',
  text: '',
  conclusion: 'neutral',
});

/** The check of a commit from a fork. */
export const renderFork = (plan: string, environment: string): Check => ({
  name: checkName(plan, environment),
  title: 'From a fork: nothing is planned or applied',
  summary: 'Nothing of this commit was read, no secret was opened and nothing was written. Push the branch to the repository itself to have it released.',
  text: '',
  conclusion: 'neutral',
});
