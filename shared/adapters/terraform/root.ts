import { z } from 'zod';
import type { Op, OutputSpec, StackLine } from '../../engine/op.ts';
import { isValue, type ResolvedParams } from '../../engine/value.ts';
import type { Params, Scalar } from '../../plan/types.ts';
import { scalar, templated, value } from '../../plan/value-forms.ts';
import { noResource } from '../no-resource.ts';
import { invalid, manyValues } from '../param.ts';

const below = /^(?:\.|(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\\p{Cc}][^\\\p{Cc}]*(?<!\/))$/u;
const within = 'this takes a path below it, as in `infra/network`: no `..`, no `/` at either end';
const file = z.string().regex(below, within);
const outputName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'an output is named as the root declares it: letters, digits, `_` and `-`');

const params = z.strictObject({
  path: file.meta({ description: 'The folder of the root module, from the top of the repository; `.` is the top itself.' }),
  tool: z.enum(['terraform', 'tofu']).optional().meta({ description: 'Terraform, or OpenTofu. Left out: `terraform`.' }),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'write the whole version, as in `1.11.4`')
    .optional()
    .meta({
      description: 'The exact version of the tool. Left out: the one that is there, or where none is, the one this version of Lockkeeper was tested with.',
    }),
  workspace: templated(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,89}$/, 'a workspace is named with letters, digits, `.`, `_` and `-`'))
    .optional()
    .meta({ description: 'The workspace; made where it is not there. Part of the stack’s identity. Left out: `default`.' }),
  var_files: z.array(file).optional().meta({ description: 'Files with values of variables, from `path`, in their order.' }),
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
  outputsFor,
  identity: async () => ({}),
  diff: () => [],
  stack: { of },
};

/** The names a line says other lines may use. Whether one is sensitive the tool alone knows. */
function outputsFor(line: Params): Record<string, OutputSpec> {
  const names = z.array(outputName).safeParse(line['outputs'] ?? []);
  const about = 'An output of the root module.';
  return Object.fromEntries((names.success ? names.data : []).map((name): [string, OutputSpec] => [name, { available: 'immediate', about }]));
}

function of(given: ResolvedParams): StackLine {
  const variables = manyValues(given, 'variables');
  const kept = variables.find(([, one]) => one.kind === 'keep');
  if (kept) throw invalid(`\`variables.${kept[0]}\` cannot be \`keep\`: the tool is given all of its variables each time.`);
  const known = variables.flatMap(([name, one]) => (one.kind === 'known' ? [{ name, value: one.value, sensitive: one.sensitive }] : []));
  const [tool, version, workspace] = [text(given, 'tool'), text(given, 'version'), text(given, 'workspace')];
  return {
    tool: tool === 'tofu' ? 'tofu' : 'terraform',
    ...(version === undefined ? {} : { version }),
    root: {
      path: text(given, 'path') ?? '.',
      ...(workspace === undefined || workspace === 'default' ? {} : { stack: workspace }),
      varFiles: texts(given, 'var_files'),
    },
    variables: Object.fromEntries(known.map(({ name, value: one }): [string, Scalar] => [name, one])),
    secretVariables: known.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  };
}

function text(given: ResolvedParams, name: string): string | undefined {
  const node = given[name];
  return node !== undefined && isValue(node) && node.kind === 'known' ? String(node.value) : undefined;
}

function texts(given: ResolvedParams, name: string): string[] {
  const node = given[name];
  return Array.isArray(node) ? node.flatMap((one) => (isValue(one) && one.kind === 'known' ? [String(one.value)] : [])) : [];
}
