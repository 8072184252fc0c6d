import type { Run } from '../run/items.ts';

type Where = Pick<Run, 'environment' | 'pullRequest' | 'branch' | 'plan'>;

/** The commands by which a person decides about a line, as they are typed for the place a run works in. */
export interface WaysOn {
  readonly reconcile: string;
  readonly accept: string;
  readonly absorb: string;
  readonly adopt: string;
  readonly plan: string;
}

export function waysOn(line: string, run: Where): WaysOn {
  const where = placeOf(run);
  return {
    reconcile: `lockkeeper reconcile ${typedWord(line)}${where}`,
    accept: `lockkeeper accept ${typedWord(line)} --until 7d --reason "why"${where}`,
    absorb: `lockkeeper absorb ${typedWord(line)}${where}`,
    adopt: `lockkeeper adopt ${typedWord(line)}${where}`,
    plan: `lockkeeper plan${where}`,
  };
}

/** How a person says that a step is done, or undone, as it is typed for the place a run works in. */
export const confirmCommand = (line: string, run: Where): string => `lockkeeper confirm ${typedWord(line)}${placeOf(run)}`;

/** The flags that lead to where a run works, from whatever branch is checked out: nothing that is the usual one is said. */
export function placeOf({ environment, pullRequest, branch, plan }: Where): string {
  const flags = [
    ...(environment === 'preview' ? [] : ['--env', typedWord(environment)]),
    ...(pullRequest === undefined ? ['--branch', typedWord(branch)] : ['--pr', String(pullRequest)]),
    ...(plan.name === 'main' ? [] : ['--plan', typedWord(plan.path)]),
  ];
  return flags.map((flag) => ` ${flag}`).join('');
}

/**
 * The three ways on from a resource that was edited outside.
 *
 * @param absorbs some of what is live can be written into the plan file by a command.
 */
export const waysFromDrift = ({ reconcile, absorb, accept, plan }: WaysOn, absorbs: boolean): string => {
  const makeIt = absorbs ? `\`${absorb}\`` : `edit the line to what is live, and look with \`${plan}\``;
  return `Put the plan back: \`${reconcile}\`. Make it the plan: ${makeIt}. Leave it for now: \`${accept}\`.`;
};

/** The ways on from a resource that nobody has claimed. */
export const waysFromUnknown = ({ adopt }: WaysOn): string =>
  `Let the line take it over: \`${adopt}\`. Keep it as it is: write \`{ keep: true }\` for its value. Or give the line a resource of its own.`;

/** A word as a POSIX shell reads it back. */
export const typedWord = (text: string): string => (/^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
