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

/** Makes `--json` of a preview a stream of events (R2.12): the one document does not say what drifted. */
export const streaming: Readonly<Record<string, string>> = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true', PULUMI_SKIP_UPDATE_CHECK: 'true' };

/** The exit of a call that names a stack that is not there. */
export const noSuchStack = 6;
