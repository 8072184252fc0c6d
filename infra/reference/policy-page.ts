import type { z } from 'zod';
import { policyFile } from '../../shared/policy/policy-file.ts';
import { readPolicy } from '../../shared/policy/read.ts';
import { longestExpires, policyParts, usualExpires } from '../../shared/policy/schema.ts';
import { code, generatedFrom, page, table } from './markdown.ts';

/** A policy in a page. The word after `yaml` tells it from a plan, for the tests that read every example. */
const yaml = (text: string, kind = 'policy'): string => `\`\`\`yaml ${kind}\n${text.trim()}\n\`\`\``;

const usual = yaml(`
version: 1
plans:
  - { name: main, path: release.plan.yaml }
events:
  pull_request: [preview]
  push: [production]
environments:
  preview: { protected: false, expires: ${usualExpires} }
  production: { protected: true, expires: ${usualExpires} }
`);

const whole = yaml(`
version: 1
stack: lockkeeper-shop
plans:
  - { name: shop, path: shop/release.plan.yaml }
  - name: billing
    path: services/billing/release.plan.yaml
    events: { push: [staging, production] }
environments:
  staging:
    protected: true
  production:
    approvers:
      - { github: ada, aws: "arn:aws:iam::111122223333:role/releases-ada", slack: U024BE7LH }
      - { github: grace }
      - { team: acme/releases }
    required: 2
    recheck: true
    expires: 8h
    slack: { channel: C024BE91L, mention: S0614TZR7 }
    secrets: ["env://DATABASE_URL", "env://STRIPE_*"]
    credentials: [VERCEL_TOKEN, NEON_API_KEY, CLERK_SECRET_KEY]
    read_credentials: { NEON_API_KEY: NEON_READ_KEY }
    providers:
      vercel: [{ project: storefront, team: acme }]
      neon: [{ project: calm-river-12345678 }]
      clerk: [{}]
    http_hosts: [status.example.com]
    lease_ttl: 30m
`);

/** A file with mistakes, shown with what is said of it: the page holds the reader's own words. */
const mistaken = `
version: 1
events:
  push: [prodution]
environments:
  production:
    aprovers: [{ github: ada }]
    expires: 30d
`.trim();

const problems = (): string =>
  readPolicy(mistaken, 'lockkeeper.yaml')
    .problems.map(({ code: name, message, at }) => `${at?.file}:${at?.line}:${at?.column} ${name} ${message}`)
    .join('\n');

/** `docs/policy.md`: the policy file in reference form. */
export function policyPage(): string {
  return page(
    generatedFrom('the policy schema'),
    '# The policy file',
    'The policy file is `lockkeeper.yaml` at the root of the repository. It says which events touch which environments, who decides, and what the lines of an environment may use. It is read from the **default branch**, whatever commit a run is for: a pull request cannot change the policy it is judged by. Editors read the same rules from [`lockkeeper.schema.json`](lockkeeper.schema.json).',
    `## Without the file\n\nEverything is optional but \`version\`, and so is the file. Without it a repository is run as if this stood there: secrets are looked for under \`lockkeeper/<environment>/\` and nowhere else, no \`http\` host may be reached, any provider block may be used, and whoever has \`maintain\` or \`admin\` on the repository decides.\n\n${usual}`,
    `A mistake in the file stops every run with file, line and column, until it is corrected on the default branch. No default takes the place of a policy that somebody wrote and got wrong: not for \`lockkeeper.yml\`, which is called wrongly, and not where the default branch cannot be read. On a terminal without \`--stack\` that branch is read as the remote had it when it was last fetched (\`git fetch origin\`), and only without a remote as this machine has it.`,
    `## All of it\n\n${whole}`,
    `## Keys of the file\n\n${keys(policyParts.file)}`,
    `## Plans\n\n${keys(policyParts.plan)}\n\nWhere \`plans\` is there, it is the whole list: no plan called \`main\` is added to it. Names are unique, and so are paths. What a plan manages is kept under its name: take resources down before a plan leaves the list or changes its name.`,
    `## Events\n\n${keys(policyParts.events)}\n\nA plan's own \`events\` come first, then those of the file, then the default, each event by itself; \`[]\` is no environment. An event names \`preview\`, \`production\`, or an environment that has a block under \`environments\`, be it \`{}\`. A pull request never touches \`production\`: its code has been reviewed by nobody, and a run reads the secrets of its environment. A push to another branch than the default one touches nothing.`,
    `## Environments\n\n${keys(policyParts.environment)}`,
    `### Approvers\n\n${keys(policyParts.approver)}\n\nWhoever decides through a deployed stack is known by their AWS principal alone. \`aws\` is compared with what \`aws sts get-caller-identity\` prints:\n\n${principals}\n\nOne principal is one person in the whole file; a role that several people assume says nothing about who they are. The name of a session is chosen by whoever assumes the role, unless the role's trust policy or the identity provider fixes it: map a role of one person, or see to that.`,
    `### Who decides\n\nPeople are counted by their GitHub login, whatever they answer through, and looked up when the answer is judged: by the step that tends the question, and once more right before anything is applied. Somebody who has lost the role, the team or the access meanwhile is not counted any more ([why](adr/0058-people-are-counted.md)). \`required\` people must approve; one rejection ends the run. The author of the commit and whoever triggered the run do not count, unless \`allow_self\` says so; they may still reject. A run that writes several protected environments asks once: whoever answers must be allowed to in each, and the most that one of them requires is required. At a person’s own machine their own word is enough.`,
    `### Looking again\n\nWith \`recheck\` every line is inspected once more between the decision and the first write, and a plan that would be different now is asked about again. Whatever it says, each line’s own changes must be among the approved ones right before they are written.`,
    `### Teams\n\n${keys(policyParts.team)}\n\nA team belongs to the organization that owns the repository. Who is in it is looked up when a decision is judged, and where GitHub does not answer nobody of it counts. Its members answer on GitHub; whoever of them answers through AWS or in Slack needs an entry with \`aws\` or \`slack\` in some environment, which says who they are and makes them an approver of that environment alone.`,
    `### Credentials\n\nA provider’s credential is called by its variable, and is looked for as \`lockkeeper/<environment>/<variable>\`. With \`credentials\`, a line whose adapter needs another one is refused before any is read. A variable that a provider block names itself (\`…_env\`) may stand in \`credentials\` or, as \`env://NAME\`, in \`secrets\`.`,
    `### Leases\n\nA run holds its scope by a lease, renewed while it works; after a worker’s death the scope is free when the lease has run out. \`lease_ttl\` is of runs that apply in that environment. It is refused below five minutes and below nine times the line time-out the stack was deployed with, which only that stack knows: \`lockkeeper validate\` holds it to five minutes.`,
    `### Slack\n\n${keys(policyParts.slack)}`,
    `### Stacks\n\n${keys(policyParts.stacks)}\n\nA [stack](stacks.md) is a line whose op runs an infrastructure tool: \`terraform.root\`, \`pulumi.stack\`. The tool runs the code of the commit, so an environment without this block has none. Its environment holds what stands here and nothing of Lockkeeper’s own.`,
    `### Drift\n\n${keys(policyParts.drift)}\n\nWhat may differ:\n\n${keys(policyParts.ignored)}`,
    `### Secrets\n\n\`env://NAME\` is looked for under the prefix of the run's own environment, so that no line can name another environment's secret, listed or not. \`*\` stands for any characters, none included.\n\nAn address of another source could be anybody's: \`aws-sm://\` and \`ssm://\` need no entry where they name something under \`lockkeeper/<environment>/\`, and must be listed anywhere else, as \`doppler://\` and \`op://\` must be. What lies under \`lockkeeper/\` for another environment, or for Lockkeeper itself, no entry opens.`,
    `### Provider blocks\n\nA plan's provider block is allowed when it holds one of the blocks listed for its adapter: every key of that one, with the same value, maps inside it alike. It may hold more. An adapter that has no block of its own is allowed with \`[{}]\`. Values are compared as they are written: a project that plans name by its id and by its name needs a block for each.`,
    `### Hosts\n\nA host is that of the \`base_url\` an \`http\` line uses, with the port where it is not the usual one of \`http\` or \`https\`. Hosts are listed one by one. A line whose host cannot be told from the plan (\`base_url_env\`) is refused.`,
    `### Refusals\n\nA line that uses what its environment does not allow ends the run with \`POLICY_DENIED\`, before any secret is read. The message names the line, what it may not use, and the list to change.`,
    `## Mistakes\n\n${yaml(mistaken, 'mistaken-policy')}\n\nis refused with every mistake at once:\n\n\`\`\`text\n${problems()}\n\`\`\``,
    `A mistake stops whatever would make something. What removes goes on: a closed pull request's preview is destroyed, but for a scope that holds lines which were protected when they were last applied, about which nobody can be asked then ([why](adr/0033-a-destroy-under-a-broken-policy.md)).`,
    `Something that is allowed and hardly does what it seems to (an environment called \`Production\`; \`protected: false\` under \`production\`) is a warning, \`POLICY_DOUBTFUL\`.`,
    `The file is UTF-8, one YAML 1.2 document, and at most ${policyFile.maxBytes / 1024} KiB. A question stays open for ${code(longestExpires)} at most.`,
  );
}

const principals = table(
  ['Written', 'Is'],
  [
    [code('arn:aws:iam::<account>:user/<name>'), 'that user'],
    [code('arn:aws:iam::<account>:role/<name>'), 'every session of that role, whatever its session is called'],
    [code('arn:aws:sts::<account>:assumed-role/<role>/<session>'), 'that one session'],
    [code('arn:aws:sts::<account>:federated-user/<name>'), 'that federated user'],
  ],
);

function keys(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([name, property]) => {
    const optional = (property as z.ZodType).safeParse(undefined).success;
    return [code(name), optional ? 'no' : 'yes', (property as z.ZodType).meta()?.description ?? ''];
  });
  return table(['Key', 'Required', 'About'], rows);
}
