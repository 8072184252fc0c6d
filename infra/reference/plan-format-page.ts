import { z } from 'zod';
import { adapters } from '../../adapters.ts';
import type { OpRegistry } from '../../shared/engine/op.ts';
import { variableNames } from '../../shared/plan/context-variables.ts';
import { laterOps } from '../../shared/plan/later-ops.ts';
import { planFile } from '../../shared/plan/plan-file.ts';
import { fileSchema, lineSchema } from '../../shared/plan/schema.ts';
import { fromForm, keepForm, secretForm, templateText } from '../../shared/plan/value-forms.ts';
import { type Scheme, schemes } from '../../shared/secrets/reference.ts';
import { MAX_DEPTH } from '../../shared/yaml/depth.ts';
import { MAX_TEXT } from '../../shared/yaml/tree.ts';
import { actionText, listItemText, resourceText } from './http-ops.ts';
import { code, generatedFrom, page, table } from './markdown.ts';
import { opSection } from './op-section.ts';
import { driftKinds, inputStates, lineStatuses, planStatuses } from './statuses.ts';

const example = `\`\`\`yaml
version: 1
providers:
  neon: { project: calm-river-12345678 }
  vercel: { project: storefront, team: acme }
changes:
  - id: database
    adapter: neon
    op: branch
  - id: variables
    adapter: vercel
    op: env
    values:
      DATABASE_URL: { from: database.connection_string }
      STRIPE_KEY: { secret: env://STRIPE_KEY }
      APP_NAME: shop-\${ctx.scope}
  - id: login
    adapter: clerk
    op: redirect_allow
    url: "\${lines.variables.branch_url}/callback"
    environments: [preview]
\`\`\``;

/** What each variable stands for. A variable without a row here, or a row without one, stops the page. */
const variables: Readonly<Record<string, string>> = {
  'ctx.env': 'the environment of the run',
  'ctx.scope': 'the scope: `pr-<number>`, `branch-<name>`, or `main` for the default branch alone',
  'ctx.git.branch': 'the branch',
  'ctx.git.sha': 'the whole commit id',
  'ctx.git.short_sha': 'its first seven characters',
  'ctx.pr.number': 'the pull request; a plan that uses it elsewhere is refused',
};

/** What each op does, beyond what its declaration says. Held complete in the same way. */
const ops: Readonly<Record<string, string>> = {
  'clerk.redirect_allow':
    'One URL on the list of those that Clerk may send a person back to. It is there or not; nothing of it is ever updated. The key belongs to one Clerk instance, so there is nothing to name.',
  'http.action': actionText,
  'http.list_item': listItemText,
  'http.resource': resourceText,
  'manual.step':
    'Something only a person can do. An apply shows the instructions and ends `partial` (exit 2); whatever needs the step waits, everything else goes on, and nothing runs meanwhile. `lockkeeper confirm <line>`, or `/lockkeeper confirm <line>` on the pull request, says that exactly these instructions were followed; changed instructions are asked for again. A step is never rolled back. It has no outputs: name it in `depends_on`.',
  'neon.branch':
    "A database branch with one endpoint that takes writes. A branch that exists under another parent counts as unchanged, since Neon cannot move it. The project's root, default and protected branches can be used and are never deleted.",
  'pulumi.stack':
    'A stack of a Pulumi project, as it lies in the commit. Pulumi previews it and saves its plan, people are asked about what it would do where the environment is protected, and the update keeps to the plan that they saw; right before it a fresh preview has to say the same. The stack has to be there already (`pulumi stack init`); the backend and its credentials come from the policy (`PULUMI_BACKEND_URL`, `PULUMI_ACCESS_TOKEN`, `PULUMI_CONFIG_PASSPHRASE`). A rollback leaves it as it is; a destroy of its scope has Pulumi destroy what is in it, unless it had a state before Lockkeeper first applied it, and leaves the empty stack. Written from recordings of Pulumi 3.259.0, with 3.229.0 as the least; the real program is run in no test of this repository ([what is recorded](adr/0075-pulumi-keeps-to-two-previews.md)). Its environment needs [`stacks`](policy.md#stacks) in the policy.',
  'terraform.root':
    'A stack: a root module of Terraform or OpenTofu, as it lies in the commit, with the backend that the root declares. The tool plans it, people are asked about what it would do where the environment is protected, and exactly the plan that they saw is applied. A rollback leaves it as it is; a destroy of its scope has the tool destroy it, unless it had a state before Lockkeeper first applied it. Its environment needs [`stacks`](policy.md#stacks) in the policy.',
  'vercel.deploy':
    "The deployment of the run's commit: an existing one is watched, else one is started. The job comes back until it is ready; nothing waits in place. Destroy leaves deployments alone.",
  'vercel.env':
    'Environment variables of one target, for one branch or all. Where this commit was built before the write, it is built again: once for all lines of a run that write the same project and target, after the last of them. A line that itself needs what a deployment of that project gives is deployed in a second build. A build that cannot be started undoes nothing (`REDEPLOY_FAILED`), and the next run makes up for it; a removal or a rollback of variables builds nothing. The outputs come from the deployment of the commit: a line that uses them waits, and goes on when GitHub reports the deployment. Register callbacks under `branch_url`: `preview_url` is another one after every commit.',
};

const rules = [
  `The file is UTF-8 and at most ${planFile.maxBytes / 1024 / 1024} MiB, one YAML 1.2 document; maps and lists nest at most ${MAX_DEPTH} levels; one text has at most ${MAX_TEXT.toLocaleString('en')} characters. Aliases count as what they expand to.`,
  'Keys that are not known are mistakes, and the message names the nearest one that is. `null` is a value nowhere.',
  `Every \`\${…}\` must be one of the variables above, or \`\${lines.<id>.<output>}\`; \`$\${\` is a \`\${\` that is only text. Keys, provider blocks, \`from\` and the outputs in the address of a secret are not filled in, and what was filled in is never read again. A \`{ secret: … }\` never stands inside a text: keep the whole text in the secret.`,
  'Under a name that ends like `_KEY`, `_SECRET`, `_TOKEN`, `PASSWORD`, `_PASS` or `PRIVATE`, in any case, no text and no number may stand: write `{ secret: … }` or `{ from: … }`.',
  'Text that looks like a plan shows a value (`(secret)`, `(pending ← …`) is refused: it was pasted from an output.',
  'Lines may not need each other in a circle, and a line may not need one that its environment leaves out.',
  'All mistakes are listed at once, each with file, line, column, code and what to write instead.',
];

/** `docs/plan-format.md`: the plan file in reference form. */
export function planFormatPage(registry: OpRegistry): string {
  const found = registry.adapters().flatMap((adapter) => registry.ops(adapter).flatMap((name) => registry.find(adapter, name) ?? []));
  const sections = found.map((op) =>
    opSection(op, adapters.includes(op) ? 'One of those that `adapters.ts` names.' : described(ops, `${op.adapter}.${op.name}`)),
  );
  refuseLeftOver(
    ops,
    found.map((op) => `${op.adapter}.${op.name}`),
  );
  refuseLeftOver(variables, variableNames);
  return page(
    generatedFrom('the plan schema and the ops'),
    '# The plan file',
    '`release.plan.yaml` is a list of lines. Each line is one operation on something that has to move with the code. Editors read the same rules from [`release.plan.schema.json`](release.plan.schema.json); `lockkeeper validate` applies all of them and needs no credential.',
    example,
    `## Keys of the file\n\n${keys(fileSchema(z.unknown(), z.unknown()))}`,
    `## Keys of a line\n\n${keys(lineSchema(z.unknown()))}\n\nEvery other key is a parameter of the op. A line runs when the lines it refers to and those in \`depends_on\` are done; lines that do not need each other run side by side.`,
    `## Values\n\n${valueForms()}`,
    `## Variables in text\n\n${table(
      ['Variable', 'Stands for'],
      variableNames.map((name) => [code(`\${${name}}`), described(variables, name)]),
    )}`,
    `## Rules\n\n${rules.map((rule) => `- ${rule}`).join('\n')}`,
    `## Ops\n\n${sections.join('\n\n')}`,
    `## What a plan says\n\n${planStatuses()}\n\nA plan with a line that is \`blocked\` or \`error\` exits with 1. Of each value of a line it says, under \`inputs\` with \`--json\`:\n\n${inputStates()}`,
    `## What became of a line\n\n${lineStatuses()}`,
    `## Drift\n\nHow what is live differs from what Lockkeeper remembers, apart from what a plan would do. [When something is not as planned](when-not-as-planned.md) shows what to type.\n\n${driftKinds()}`,
    `## Ops this version does not have\n\nThe format knows more operations than this version performs. A line with one of these is refused with \`ADAPTER_UNKNOWN\` or \`OP_UNKNOWN\`, which says so: ${later()}.`,
  );
}

function keys(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([name, property]) => {
    const optional = (property as z.ZodType).safeParse(undefined).success;
    return [code(name), optional ? 'no' : 'yes', (property as z.ZodType).meta()?.description ?? own[name] ?? ''];
  });
  return table(['Key', 'Required', 'About'], rows);
}

const own: Readonly<Record<string, string>> = { version: 'The format: `1`.' };

/** Each secret source: how it is written, and where its value comes from on a terminal and in a deployed stack. */
const sources: Readonly<Record<Scheme, { readonly terminal: string; readonly deployed: string }>> = {
  env: { terminal: 'the variable `NAME`', deployed: 'the secret `lockkeeper/<environment>/NAME` of Secrets Manager' },
  'aws-sm': {
    terminal: 'the embedded stack’s own `secrets.json`',
    deployed: 'that secret of Secrets Manager, by name or ARN; with `#KEY`, that member of its JSON object',
  },
  ssm: { terminal: 'the embedded stack’s own `secrets.json`', deployed: 'that parameter of the parameter store, decrypted' },
  doppler: { terminal: 'the command `doppler`', deployed: 'refused' },
  op: { terminal: 'the command `op` of 1Password', deployed: 'refused' },
};

const secretSources = table(
  ['Secret', 'On a terminal', 'In a deployed stack'],
  Object.entries(sources).map(([scheme, { terminal, deployed }]) => [code(schemes[scheme as Scheme].form), terminal, deployed]),
);

function valueForms(): string {
  const form = (written: string, schema: z.ZodType) => [code(written), schema.meta()?.description ?? ''];
  return table(
    ['Written', 'Means'],
    [
      ['a literal', 'Text, number or boolean, as it stands. Shown in plans, comments and receipts.'],
      form('text with ${lines.<id>.<output>}', templateText),
      form('{ from: line.output }', fromForm),
      form('{ secret: env://NAME }', secretForm),
      form('{ keep: true }', keepForm),
    ],
  ).concat(
    `\n\n${secretSources}\n\nA run resolves each address once, a few at a time, and only what \`lockkeeper.yaml\` allows in its environment. The values lie sealed beside it until it settles, and nowhere else. One that cannot be had blocks the lines that name it.`,
  );
}

const later = (): string =>
  Object.entries(laterOps)
    .flatMap(([adapter, names]) => names.map((name) => code(`${adapter}.${name}`)))
    .join(', ');

function described(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text !== undefined) return text;
  throw new Error(`infra/reference/plan-format-page.ts says nothing about ${name}`);
}

function refuseLeftOver(texts: Readonly<Record<string, string>>, names: readonly string[]): void {
  const leftOver = Object.keys(texts).filter((name) => !names.includes(name));
  if (leftOver.length > 0) throw new Error(`infra/reference/plan-format-page.ts describes what does not exist: ${leftOver.join(', ')}`);
}
