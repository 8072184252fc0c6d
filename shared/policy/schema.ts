/** The shape of `lockkeeper.yaml`. The reader judges with it, and JSON Schema and reference page are generated from it (`json-schema.ts`). */
import { z } from 'zod';
import { durationMs, durationPattern } from './duration.ts';
import { principalPattern } from './principal.ts';

/** How long a question stays open where nothing is said. */
export const usualExpires = '24h';
/** The longest that a question may stay open: a decision about an older plan is a decision about another world. */
export const longestExpires = '14d';

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

const approver = z
  .strictObject({
    github: written(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'this takes the GitHub login of one person, without `@`, as in `ada`; no team, no bot', 'ada').meta({
      description: 'The person’s GitHub login.',
    }),
    aws: written(
      principalPattern,
      'this takes the ARN of an IAM user, of an assumed-role session, or of a role for all its sessions, as in `arn:aws:iam::111122223333:role/ada`; no wildcard, no root',
      'arn:aws:iam::111122223333:role/ada',
    )
      .optional()
      .meta({ description: 'The AWS principal this person decides with through a deployed stack. Needed for that alone.' }),
  })
  .meta({ id: 'approver' });

const expires = written(durationPattern, 'write a whole number and `m`, `h` or `d`, as in `24h`', usualExpires).refine(
  (text) => durationMs(text) <= durationMs(longestExpires),
  `a question stays open for \`${longestExpires}\` at most: write that, or less`,
);

const secretGlob = written(
  /^(?:env:\/\/[A-Za-z_*][A-Za-z0-9_*]*|(?:aws-sm|ssm|doppler|op):\/\/[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?)$/u,
  'write `env://` and a name, in which `*` stands for any characters, as in `env://STRIPE_*`; or an address of `aws-sm://`, `ssm://`, `doppler://` or `op://`',
  'env://STRIPE_*',
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

const environment = z
  .strictObject({
    protected: z
      .boolean()
      .optional()
      .meta({ description: 'Whether a person decides before anything is written. Left out: no. `production` is protected whatever stands here.' }),
    approvers: z.array(approver).min(1).optional().meta({ description: 'Who may decide. Left out: whoever has `maintain` or `admin` on the repository.' }),
    expires: expires.optional().meta({
      description: `How long a question stays open, at most \`${longestExpires}\`. Left out: \`${usualExpires}\`. A run that writes several protected environments asks once, for the shortest of theirs.`,
    }),
    secrets: z.array(secretGlob).optional().meta({
      description: 'The secrets a line may name; `[]` is none. Left out: every `env://` name, and of the others what lies under `lockkeeper/<environment>/`.',
    }),
    providers: z
      .record(z.string().min(1), z.array(z.record(z.string(), blockValue)).min(1))
      .optional()
      .meta({ description: 'Adapter → provider blocks a plan may use. Once this is here, an adapter it does not name may not be used. Left out: no limit.' }),
    http_hosts: z.array(host).optional().meta({
      description:
        'The hosts an `http` line may reach, of which only public addresses are reached. Left out: none. Credentials that its block names count as `secrets`.',
    }),
  })
  .meta({ id: 'environment' });

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
  environments: z.record(environmentName, environment).optional().meta({ description: 'What holds in each environment, by its name.' }),
});

export type PolicyContent = z.infer<typeof policySchema>;

/** The maps of the file, for whoever documents their keys. */
export const policyParts = { file: policySchema, plan, events, environment, approver } as const;
