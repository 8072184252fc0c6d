import { z } from 'zod';
import type { Op, StackLine } from '../../engine/op.ts';
import type { ResolvedParams } from '../../engine/value.ts';
import { scalar, templated, value } from '../../plan/value-forms.ts';
import { noResource } from '../no-resource.ts';
import { keyText } from '../param.ts';
import { exactVersion, outputsNamed, pathBelow, textGiven, valuesGiven } from '../stack-params.ts';

const stackName = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\/){0,2}[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/,
    'a stack is named as in `dev`, `acme/dev` or `acme/shop/dev`: letters, digits, `.`, `_` and `-`',
  );
/** Pulumi takes what begins with a dash for an option, and a name without a colon for one of the project. */
const configName = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,199})?$/, 'a name is written as in `size` or `aws:region`');
const outputName = z.string().regex(/^[^\s\p{Cc}]{1,200}$/u, 'an output is named as the program exports it');

const params = z.strictObject({
  path: pathBelow.describe('The folder with the project’s `Pulumi.yaml`, from the top of the repository; `.` is the top itself.'),
  stack: templated(stackName).describe('The stack, as Pulumi names it. It has to be there: Lockkeeper makes none. Part of the identity.'),
  config: z
    .record(configName, value(scalar))
    .optional()
    .describe(
      'Values of the configuration. They win over those of the stack’s settings file, of which a private copy is changed; secret ones are encrypted in it.',
    ),
  version: exactVersion('3.259.0')
    .optional()
    .describe('The exact version of Pulumi. Left out: the one that is there, or where none is, the one this version of Lockkeeper was tested with.'),
  outputs: z.array(outputName).optional().describe('The outputs of the stack that other lines may use. Each is as sensitive as the program makes it.'),
});

/**
 * `pulumi.stack`: one stack of a Pulumi project, with the backend and the credentials that policy gives its environment. Pulumi itself runs
 * elsewhere: the engine takes from here which stack is meant.
 */
export const stack: Op<undefined> = {
  ...noResource,
  adapter: 'pulumi',
  name: 'stack',
  version: 1,
  provider: z.strictObject({}),
  params,
  keyParams: ['path', 'stack'],
  defaults: (given) => given,
  outputsFor: (line) => outputsNamed(line, outputName, 'An output of the stack.'),
  identity: async () => ({}),
  diff: () => [],
  stack: { readsLive: false, of },
};

function of(given: ResolvedParams): StackLine {
  const version = textGiven(given, 'version');
  return {
    tool: 'pulumi',
    ...(version === undefined ? {} : { version }),
    root: { path: keyText(given, 'path'), stack: keyText(given, 'stack'), varFiles: [] },
    ...valuesGiven(given, 'config', 'leave it out, and what stands in the stack’s settings counts.'),
  };
}
