/** How Pulumi is called: arguments and variables of its environment. Pure: nothing is run here. */

export const versionArgs: readonly string[] = ['version'];

/** What every call has: it asks nobody, and its output is the same on every screen. Names a stack, so that never the one somebody selected is meant. */
const quiet = (stack: string): string[] => ['--non-interactive', '--color', 'never', '--stack', stack];

/** What is live beside what is recorded, as a stream of events ({@link streaming}). Takes no lock (R2.11). */
export const refreshArgs = (stack: string, target?: string): string[] => [
  'refresh',
  '--preview-only',
  '--json',
  ...quiet(stack),
  ...(target === undefined ? [] : ['--target', target]),
];

/** Makes a plugin or a package that the program needs be there. */
export const installArgs: readonly string[] = ['install', '--non-interactive', '--color', 'never'];

/** Sets one value of the configuration, which comes by standard input: an argument can be read by every process. */
export const configSetArgs = (stack: string, name: string, secret: boolean): string[] => [
  'config',
  'set',
  ...quiet(stack),
  secret ? '--secret' : '--plaintext',
  '--',
  name,
];

export interface PulumiPreviewCall {
  /** The file that the plan goes to; absent: none is saved. */
  readonly savePlan?: string;
  /** What is live counts, and not what is recorded: with it an update puts drift back. */
  readonly refresh: boolean;
}

/** What an update would do, as a stream of events ({@link streaming}). */
export const previewArgs = (stack: string, { savePlan, refresh }: PulumiPreviewCall): string[] => [
  'preview',
  '--json',
  ...quiet(stack),
  ...(savePlan === undefined ? [] : ['--save-plan', savePlan]),
  ...(refresh ? ['--refresh'] : []),
];

export interface UpCall {
  /** The saved plan, to which the update keeps. */
  readonly plan?: string;
  readonly refresh: boolean;
  /** Without it Pulumi first plays the plan through, and refuses before anything is written what no longer fits. */
  readonly skipPreview: boolean;
}

/** An update, which writes its events to standard output, behind one document of its preview where it makes one. */
export const upArgs = (stack: string, { plan, refresh, skipPreview }: UpCall): string[] => [
  'up',
  '--yes',
  '--json',
  ...quiet(stack),
  ...(plan === undefined ? [] : ['--plan', plan]),
  ...(refresh ? ['--refresh'] : []),
  ...(skipPreview ? ['--skip-preview'] : []),
];

export const destroyPreviewArgs = (stack: string): string[] => ['destroy', '--preview-only', '--json', ...quiet(stack)];

export const destroyArgs = (stack: string): string[] => ['destroy', '--yes', '--skip-preview', '--json', ...quiet(stack)];

/** The outputs of the stack as they are recorded. */
export const outputArgs = (stack: string, { secrets }: { readonly secrets: boolean }): string[] => [
  'stack',
  'output',
  '--json',
  ...quiet(stack),
  ...(secrets ? ['--show-secrets'] : []),
];

/** What is recorded, its secrets encrypted or in clear. Takes no lock, and asks no provider. */
export const exportArgs = (stack: string, { secrets }: { readonly secrets: boolean }): string[] => [
  'stack',
  'export',
  ...quiet(stack),
  ...(secrets ? ['--show-secrets'] : []),
];

/** Nothing is looked for on the net that the call is not for. */
export const undisturbed: Readonly<Record<string, string>> = { PULUMI_SKIP_UPDATE_CHECK: 'true' };

/** Makes `--json` of a preview a stream of events (R2.12): the one document does not say what drifted. */
export const streaming: Readonly<Record<string, string>> = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true', PULUMI_SKIP_UPDATE_CHECK: 'true' };

/** The exit of a call that names a stack that is not there. */
export const noSuchStack = 6;
