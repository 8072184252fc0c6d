/**
 * How Terraform and OpenTofu are called: arguments and variables of their environment, the same for a tool job and for a read in a person's
 * folder. Both take the same. Pure: nothing is run here.
 */
import type { StackRoot } from '../tool-work.ts';

export const versionArgs: readonly string[] = ['version', '-json'];

/** In a private copy alone: in a folder that is a person's, nothing is ever initialised (R3.24). */
export const initArgs: readonly string[] = ['init', '-input=false', '-no-color'];

/** The names of the workspaces, one a line; the one that is selected has a `*` before it. Asked without `TF_WORKSPACE`, which it would list as one. */
export const workspaceListArgs: readonly string[] = ['workspace', 'list', '-no-color'];

export const statePullArgs: readonly string[] = ['state', 'pull'];

/** Saves a state that an apply could not save. Refused where the present one is newer, or another's. */
export const statePushArgs = (file: string): string[] => ['state', 'push', '-no-color', file];

export interface PlanCall {
  /** The file the plan goes to. */
  readonly out: string;
  /** Whether the tool's own lock is taken. What only looks takes none (R2.11). */
  readonly lock: boolean;
  /** Files with values of variables, in this order: the root's own, and one of ours last, whose values win. */
  readonly varFiles: readonly string[];
  readonly destroys?: boolean;
}

/** A plan as a stream of events, which looks at what is live whatever the surroundings say: arguments win over `TF_CLI_ARGS`. */
export const planArgs = ({ out, lock, varFiles, destroys = false }: PlanCall): string[] => [
  'plan',
  '-input=false',
  '-no-color',
  '-json',
  '-refresh=true',
  `-lock=${lock}`,
  `-out=${out}`,
  ...(destroys ? ['-destroy'] : []),
  ...varFiles.map((file) => `-var-file=${file}`),
];

/** What a plan file holds, or what is recorded, as one document. Takes no lock. */
export const showArgs = (planFile?: string): string[] => ['show', '-json', '-no-color', ...(planFile === undefined ? [] : [planFile])];

/** Exactly this saved plan, as a stream of events. */
export const applyArgs = (planFile: string): string[] => ['apply', '-input=false', '-no-color', '-json', planFile];

/**
 * Variables that the tool goes by: it asks nobody, phones nobody, and works in the root's workspace. That one is named by its variable, since
 * `workspace select` would write into the folder.
 */
export const variablesOf = ({ stack }: Pick<StackRoot, 'stack'>): Record<string, string> => ({
  TF_IN_AUTOMATION: '1',
  TF_INPUT: '0',
  CHECKPOINT_DISABLE: '1',
  ...(stack === undefined ? {} : { TF_WORKSPACE: stack }),
});

/** The names in what `workspace list` prints. */
export const workspacesIn = (printed: string): string[] =>
  printed
    .split('\n')
    .map((line) => line.replace(/^[* ] /, '').trim())
    .filter((name) => name !== '');

/** The version in what `version -json` prints, which OpenTofu calls `terraform_version`, too; undefined when it is none. */
export function versionIn(printed: string): string | undefined {
  try {
    const { terraform_version: version } = JSON.parse(printed) as { readonly terraform_version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
