import { z } from 'zod';
import type { Op, StackLine } from '../../engine/op.ts';
import { isValue, type ResolvedParams } from '../../engine/value.ts';
import { scalar, templated, value } from '../../plan/value-forms.ts';
import { noResource } from '../no-resource.ts';
import { exactVersion, outputsNamed, pathBelow, textGiven, valuesGiven } from '../stack-params.ts';

const outputName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'an output is named as the root declares it: letters, digits, `_` and `-`');

const params = z.strictObject({
  path: pathBelow.meta({ description: 'The folder of the root module, from the top of the repository; `.` is the top itself.' }),
  tool: z.enum(['terraform', 'tofu']).optional().meta({ description: 'Terraform, or OpenTofu. Left out: `terraform`.' }),
  version: exactVersion('1.11.4').optional().meta({
    description: 'The exact version of the tool. Left out: the one that is there, or where none is, the one this version of Lockkeeper was tested with.',
  }),
  workspace: templated(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,89}$/, 'a workspace is named with letters, digits, `.`, `_` and `-`'))
    .optional()
    .meta({ description: 'The workspace; made where it is not there. Part of the stack’s identity. Left out: `default`.' }),
  var_files: z.array(pathBelow).optional().meta({ description: 'Files with values of variables, from `path`, in their order.' }),
  variables: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'a variable is named as the root declares it'), value(scalar))
    .optional()
    .meta({ description: 'Values of variables. They win over those of files.' }),
  outputs: z
    .array(outputName)
    .optional()
    .meta({ description: 'The outputs of the root that other lines may use. Each is as sensitive as the root declares it.' }),
});

/**
 * `terraform.root`: one root module of Terraform or OpenTofu, with the backend that the root declares. The tool itself runs elsewhere: the engine
 * takes from here which stack is meant.
 */
export const root: Op<undefined> = {
  ...noResource,
  adapter: 'terraform',
  name: 'root',
  version: 1,
  provider: z.strictObject({}),
  params,
  keyParams: ['path', 'workspace'],
  defaults: (given) => given,
  outputsFor: (line) => outputsNamed(line, outputName, 'An output of the root module.'),
  identity: async () => ({}),
  diff: () => [],
  stack: { readsLive: true, of },
};

function of(given: ResolvedParams): StackLine {
  const [tool, version, workspace] = [textGiven(given, 'tool'), textGiven(given, 'version'), textGiven(given, 'workspace')];
  return {
    tool: tool === 'tofu' ? 'tofu' : 'terraform',
    ...(version === undefined ? {} : { version }),
    root: {
      path: textGiven(given, 'path') ?? '.',
      ...(workspace === undefined || workspace === 'default' ? {} : { stack: workspace }),
      varFiles: texts(given, 'var_files'),
    },
    ...valuesGiven(given, 'variables', 'the tool is given all of its variables each time.'),
  };
}

function texts(given: ResolvedParams, name: string): string[] {
  const node = given[name];
  return Array.isArray(node) ? node.flatMap((one) => (isValue(one) && one.kind === 'known' ? [String(one.value)] : [])) : [];
}
