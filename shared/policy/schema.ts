/** The shape of `lockkeeper.yaml`. The reader judges with it, and JSON Schema and reference page are generated from it (`json-schema.ts`). */
import { z } from 'zod';
import { isCredentialName } from '../redact/credentials.ts';
import { durationMs, durationPattern, leasePattern } from './duration.ts';
import { principalPattern } from './principal.ts';

/** How long a question stays open where nothing is said. */
export const usualExpires = '24h';
/** The longest that a question may stay open: a decision about an older plan is a decision about another world. */
export const longestExpires = '14d';
/** How many people may have to approve at most: beyond that a release waits for absences. */
export const mostRequired = 10;
/** The longest that a lease may stand without renewal: for as long a scope is shut after its worker died. */
export const longestLease = '24h';
/** How often a scan of drift may come at most, which is how often the schedule looks, and at least. */
export const shortestScan = '15m';
export const longestScan = '30d';
/** How often where nothing is said. */
export const usualScan = '24h';
/** How long one run of an infrastructure tool may take where nothing is said, and at most. */
export const usualTimeLimit = '1h';
export const longestTimeLimit = '7h';

const written = (pattern: RegExp, error: string, example: string) =>
  z
    .string()
    .regex(pattern, { error, abort: true })
    .meta({ examples: [example] });

const environmentName = written(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
  'an environment is named with letters, digits, `.`, `_` and `-`, a letter or digit first, 63 at most, as in `staging`',
  'preview',
);

const events = z.strictObject({
  pull_request: z.array(environmentName).optional().meta({ description: 'What a pull request touches. Left out: `[preview]`. Never `production`.' }),
  push: z.array(environmentName).optional().meta({ description: 'What a push to the default branch touches. Left out: `[production]`.' }),
});

const plan = z
  .strictObject({
    name: written(
      /^[a-z][a-z0-9_-]{0,39}$/,
      'a plan is named with lower-case letters, digits, `_` and `-`, a letter first, 40 at most, as in `billing`',
      'billing',
    ).meta({ description: 'The plan’s name, in checks, comments and the key of all it manages: a renamed plan manages nothing yet.' }),
    path: written(
      /^(?!\/)(?!(?:.*\/)?\.{1,2}\/)(?!.*\/\/)[ -[\]-~\u00a1-\uffff]{1,250}\.ya?ml$/,
      'a plan file is named from the root of the repository, with `/` and without `.` or `..` as a step, and ends with `.yaml` or `.yml`',
      'services/billing/release.plan.yaml',
    ).meta({ description: 'The plan file, from the root of the repository.' }),
    events: events.optional().meta({ description: 'Which events touch which environments with this plan. An event left out is as `events` of the file says.' }),
  })
  .meta({ id: 'plan' });

const person = z
  .strictObject({
    github: written(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
      'this takes the GitHub login of one person, without `@`, as in `ada`; no bot, and a team is `team: acme/releases`',
      'ada',
    ).meta({ description: 'The person’s GitHub login.' }),
    aws: written(
      principalPattern,
      'this takes the ARN of an IAM user, of an assumed-role session, or of a role for all its sessions, as in `arn:aws:iam::111122223333:role/ada`; no wildcard, no root',
      'arn:aws:iam::111122223333:role/ada',
    )
      .optional()
      .meta({
        description:
          'The AWS principal this person decides with through a deployed stack. Needed for that alone. Where this person is listed it is enough: GitHub is not asked whether they still have an account or access.',
      }),
    slack: written(
      /^[UW][A-Z0-9]{5,20}$/,
      'this takes a Slack member id, as in `U024BE7LH`: it is in the member’s profile, and no name stands for it',
      'U024BE7LH',
    )
      .optional()
      .meta({ description: 'The Slack member this person decides as in Slack. Needed for that alone.' }),
  })
  .meta({ id: 'approver' });

const team = z
  .strictObject({
    team: written(
      /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[a-z0-9_][a-z0-9_.-]{0,99}$/,
      'this takes an organization and the slug of one of its teams, as in `acme/releases`',
      'acme/releases',
    ).meta({
      description:
        'A team of the organization that owns the repository: whoever is an active member, of it or of a team below it, when the decision is judged.',
    }),
  })
  .meta({ id: 'team' });

const whole = 'write a whole number and `m`, `h` or `d`, as in';
const expires = written(durationPattern, `${whole} \`24h\``, usualExpires).refine(
  (text) => durationMs(text) <= durationMs(longestExpires),
  `a question stays open for \`${longestExpires}\` at most: write that, or less`,
);

const leaseTtl = written(leasePattern, 'write a whole number and `s`, `m`, `h` or `d`, as in `30m`', '30m').refine(
  (text) => durationMs(text) <= durationMs(longestLease),
  `a lease stands for \`${longestLease}\` at most: write that, or less`,
);

const scan = written(durationPattern, `${whole} \`6h\``, '6h').refine(
  (text) => durationMs(text) >= durationMs(shortestScan) && durationMs(text) <= durationMs(longestScan),
  `write a time from \`${shortestScan}\` to \`${longestScan}\``,
);

const variable = written(/^[A-Za-z_][A-Za-z0-9_]*$/, 'this takes the name of a variable, as in `NEON_API_KEY`', 'NEON_API_KEY');
const variableGlob = written(
  /^[A-Za-z_*][A-Za-z0-9_*]*$/,
  'this takes the name of a variable, in which `*` stands for any characters, as in `NEON_API_KEY`; no scheme',
  'NEON_API_KEY',
);

const slack = z
  .strictObject({
    channel: written(/^[CG][A-Z0-9]{5,20}$/, 'this takes the id of a channel, as in `C024BE91L`: it is at the end of the channel’s details', 'C024BE91L').meta({
      description: 'The channel that questions are put to.',
    }),
    mention: written(/^S[A-Z0-9]{5,20}$/, 'this takes the id of a user group, as in `S0614TZR7`', 'S0614TZR7')
      .optional()
      .meta({ description: 'The user group that a question calls. Left out: nobody is called.' }),
  })
  .meta({ id: 'slack' });

const ignored = z
  .strictObject({
    line: z.string().min(1).optional().meta({ description: 'The line. Left out: every line.' }),
    resource: z.string().min(1).optional().meta({ description: 'The resource, by its name as a plan shows it, or by its key. Left out: every resource.' }),
    path: z.string().min(1).optional().meta({
      description:
        'The path of the attribute, with all that is below it: there is no wildcard. Left out: the whole resource, also when it is gone. A repair of the same resource still puts it back. A rule names a line, a resource or a path.',
    }),
    reason: written(/^(?=.*\S).{1,500}$/su, 'say why it may differ, in at most 500 characters', 'marketing changes it').meta({
      description: 'Why it may differ.',
    }),
  })
  .meta({ id: 'ignored' });

/** A resource type and a path in it, as `lockkeeper drift ingest --show` takes them. */
const attribute = written(
  /^[^\s#\p{Cc}]+#(?:[^\s.[\]"#]+|\[(?:\d{1,9}|"(?:[^"\\]|\\.)*")\])(?:\.[^\s.[\]"#]+|\[(?:\d{1,9}|"(?:[^"\\]|\\.)*")\])*$/u,
  'write a resource type, a `#` and a path in it, as in `aws_instance#tags.Name`',
  'aws_instance#tags.Name',
);

const drift = z
  .strictObject({
    enabled: z.boolean().optional().meta({ description: 'Whether scheduled scans look at this environment. Left out: no.' }),
    schedule: scan.optional().meta({ description: `How often, from \`${shortestScan}\` to \`${longestScan}\`. Left out: \`${usualScan}\`.` }),
    lines: z.array(z.string().min(1)).min(1).optional().meta({
      description: 'The lines that are looked at, with those they need. Left out: every line.',
    }),
    notify: z.boolean().optional().meta({ description: 'Whether new drift is told. Left out: yes.' }),
    ignore: z.array(ignored).optional().meta({ description: 'What may differ, each with its reason: plans, applies and scans leave it as it is.' }),
    show: z.array(attribute).optional().meta({
      description:
        'The attributes whose live values people may see, with all that is below them: a resource type, a `#` and a path. Of a line the type is its op, as in `vercel.env#values.BANNER`: what somebody edited there is shown beside what the plan says, and can be absorbed. Of other tools’ resources, for `lockkeeper drift ingest`, it is theirs. Left out: none, since a tool marks fewer secrets than there are. What is marked anywhere, is known as a secret, or has the name of one, is never shown.',
    }),
  })
  .meta({ id: 'drift' });

const secretGlob = written(
  /^(?:env:\/\/[A-Za-z_*][A-Za-z0-9_*]*|(?:aws-sm|ssm|doppler|op):\/\/[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?)$/u,
  'write `env://` and a name, in which `*` stands for any characters, as in `env://STRIPE_*`; or an address of `aws-sm://`, `ssm://`, `doppler://` or `op://`',
  'env://STRIPE_*',
);

const secretAddress = written(
  /^(?:env:\/\/[A-Za-z_][A-Za-z0-9_]*|(?:aws-sm|ssm|doppler|op):\/\/[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?)$/u,
  'write the address of a secret, as in `env://STATE_PASSWORD`',
  'env://STATE_PASSWORD',
);

const host = written(
  /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[1-9]\d{0,4})?$/,
  'write the host alone, in lower case, with its port where that is not the usual one, as in `api.example.com`; no scheme, path or wildcard',
  'api.example.com',
);

const blockValue: z.ZodType = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.lazy(() => blockValue)),
    z.record(
      z.string(),
      z.lazy(() => blockValue),
    ),
  ])
  .meta({ id: 'blockValue', description: 'A value as it must stand in the plan’s provider block. A map asks for its own keys alone.' });

const role = written(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
  'this takes the ARN of an IAM role, as in `arn:aws:iam::111122223333:role/lockkeeper-stack-plan`',
  'arn:aws:iam::111122223333:role/lockkeeper-stack-plan',
);

const timeLimit = written(durationPattern, `${whole} \`1h\``, usualTimeLimit).refine(
  (text) => durationMs(text) <= durationMs(longestTimeLimit),
  `a tool runs for \`${longestTimeLimit}\` at most: write that, or less`,
);

/** What the job sets itself: its own folders, and the way to the tools. */
const ownVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'TMPDIR']);
const toolVariable = variable.refine((name) => !ownVariables.has(name), 'the job sets this variable itself: leave it out');

const stacks = z
  .strictObject({
    plan_role: role.optional().meta({
      description:
        'The role that plans run under, for an hour at most: one that can only read, and take the lock of the state. Left out: a plan has no rights in AWS.',
    }),
    apply_role: role.optional().meta({ description: 'The role that applies run under, for an hour at most. Left out: an apply has no rights in AWS.' }),
    env: z
      .record(toolVariable, z.string())
      .optional()
      .meta({ description: 'Variable → value in the tool’s environment, in clear. Nothing else is in it but what `secrets` and the role give.' })
      .superRefine((env = {}, context) => {
        for (const name of Object.keys(env).filter(isCredentialName))
          context.addIssue({ code: 'custom', path: [name], message: 'this has the name of a secret: put its address under `secrets` instead' });
      }),
    secrets: z.record(toolVariable, secretAddress).optional().meta({
      description: 'Variable → address of a secret, as `env://NAME`, whose value is in the tool’s environment. Read when a run with such a line is prepared.',
    }),
    time_limit: timeLimit.optional().meta({
      description: `How long one run of a tool may take, at most \`${longestTimeLimit}\`. Left out: \`${usualTimeLimit}\`. Credentials of a role end after an hour.`,
    }),
  })
  .meta({ id: 'stacks' });

const environment = z
  .strictObject({
    protected: z
      .boolean()
      .optional()
      .meta({ description: 'Whether a person decides before anything is written. Left out: no. `production` is protected whatever stands here.' }),
    approvers: z
      .array(z.union([person, team]))
      .min(1)
      .optional()
      .meta({ description: 'Who may decide: people, and teams. Left out: whoever has `maintain` or `admin` on the repository.' }),
    required: z
      .int()
      .min(1)
      .max(mostRequired)
      .optional()
      .meta({
        description: `How many people must approve, at most ${mostRequired}. Left out: 1. One rejection ends the run, whatever stands here. Whoever has the right in AWS to decide could write a second answer in another’s name: with that right, this counts words, not people.`,
      }),
    allow_self: z.boolean().optional().meta({ description: 'Whether the commit’s author and whoever triggered the run may approve it. Left out: no.' }),
    recheck: z.boolean().optional().meta({
      description: 'Whether every line is looked at again after the decision, before the first is applied. Left out: yes with `ci_only: true`, else no.',
    }),
    ci_only: z
      .boolean()
      .optional()
      .meta({ description: 'Says that its runs are CI’s, which repeats one at no cost: turns `recheck` on, and forbids nothing. Left out: no.' }),
    expires: expires.optional().meta({
      description: `How long a question stays open, at most \`${longestExpires}\`. Left out: \`${usualExpires}\`. A run that writes several protected environments asks once, for the shortest of theirs.`,
    }),
    secrets: z.array(secretGlob).optional().meta({
      description: 'The secrets a line may name; `[]` is none. Left out: every `env://` name, and of the others what lies under `lockkeeper/<environment>/`.',
    }),
    credentials: z.array(variableGlob).optional().meta({
      description: 'The provider credentials a line may use, by their variables; `[]` is none. Left out: those of every adapter that `providers` allows.',
    }),
    read_credentials: z.record(variable, variable).optional().meta({
      description:
        'Provider credential → the secret of this environment that holds one which can only read. The plan that a pull request shows of this environment uses these and no others. Never a secret that a credential here is called by: with that one the environment writes.',
    }),
    providers: z
      .record(z.string().min(1), z.array(z.record(z.string(), blockValue)).min(1))
      .optional()
      .meta({ description: 'Adapter → provider blocks a plan may use. Once this is here, an adapter it does not name may not be used. Left out: no limit.' }),
    http_hosts: z.array(host).optional().meta({
      description:
        'The hosts an `http` line may reach, of which only public addresses are reached. Left out: none. Credentials that its block names count as `secrets`.',
    }),
    slack: slack.optional().meta({ description: 'Where in Slack questions are put. Left out: nowhere.' }),
    lease_ttl: leaseTtl.optional().meta({
      description: `How long a run’s lease stands without renewal, at most \`${longestLease}\`; at least five minutes and nine times the line time-out of the stack. Left out: as the stack was deployed.`,
    }),
    drift: drift.optional().meta({
      description:
        'Scheduled scans of drift, of what the default branch has released. A deployed stack makes them; a person’s own machine looks when it is asked to.',
    }),
    plan_on_pull_request: z.boolean().optional().meta({
      description:
        'Whether the plan that a pull request shows of this environment may reach `http` hosts and what verify steps look at, and run the tools of stacks, with `stacks.plan_role` and without a secret. Left out: no.',
    }),
    stacks: stacks.optional().meta({
      description: 'Lets lines run infrastructure tools here, which run the code of the commit. Left out: no such line may be used in this environment.',
    }),
  })
  .meta({ id: 'environment' });

/** What the dashboard issue carries where nothing is said. */
export const usualLabel = 'lockkeeper';
export const usualTitle = 'Lockkeeper dashboard';

const dashboard = z
  .strictObject({
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'Whether there is a dashboard issue. Left out: yes where an environment has `drift.enabled`, else no.' }),
    label: written(/^(?! )[ -+\--~]{1,50}(?<! )$/, 'a label has 1 to 50 characters, no comma, and no space at either end, as in `lockkeeper`', usualLabel)
      .optional()
      .meta({ description: `The label by which the issue is found. Left out: \`${usualLabel}\`.` }),
    title: written(/^(?! )[^\p{Cc}\p{Cf}]{1,200}(?<! )$/u, 'a title has 1 to 200 characters, and no space at either end', usualTitle)
      .optional()
      .meta({ description: `The issue’s title. Left out: \`${usualTitle}\`.` }),
    pictures: written(
      /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[1-9]\d{0,4})?(?:\/[A-Za-z0-9._~-]+)*\/?$/,
      'this takes a public `https://` address without query, as in `https://pictures.example.com/lockkeeper`',
      'https://pictures.example.com/lockkeeper',
    )
      .optional()
      .meta({ description: 'The public address under which the header’s pictures lie, for GitHub to fetch. Left out: words alone.' }),
  })
  .meta({ id: 'dashboard' });

export const policySchema = z.strictObject({
  version: z.literal(1).meta({ description: 'The format: `1`.' }),
  stack: written(
    /^[A-Za-z][A-Za-z0-9-]{0,127}$/,
    'a CloudFormation stack is named with letters, digits and `-`, a letter first, 128 at most, as in `lockkeeper`',
    'lockkeeper',
  )
    .optional()
    .meta({ description: 'The deployed stack that runs this repository’s releases. A terminal then refuses to keep a second ledger beside it.' }),
  plans: z.array(plan).min(1).optional().meta({ description: 'The plan files. Left out: one, called `main`, at `release.plan.yaml`.' }),
  events: events.optional().meta({ description: 'Which events touch which environments, where a plan does not say otherwise.' }),
  checks: z
    .literal('always')
    .optional()
    .meta({ description: '`always`: a check is there without a plan file, too, so that it can be required. Left out: only where there is one.' }),
  dashboard: dashboard.optional().meta({ description: 'The issue that shows what is released, what is pending and what drifted.' }),
  environments: z.record(environmentName, environment).optional().meta({ description: 'What holds in each environment, by its name.' }),
});

export type PolicyContent = z.infer<typeof policySchema>;

/** The maps of the file, for whoever documents their keys. */
export const policyParts = { file: policySchema, plan, events, environment, approver: person, team, slack, drift, ignored, stacks, dashboard } as const;
