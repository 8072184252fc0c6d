import { describe, expect, it } from 'vitest';
import type { Code } from '../errors/codes.ts';
import { readPlan } from './read.ts';
import { sampleRegistry } from './sample-registry.ts';

/** A bad plan file, and the one problem it has: code, line, column, and the part of the message that says what to write. */
type BadPlan = readonly [title: string, text: string | Uint8Array, code: Code, line: number, column: number, message: string];

/** Five lines before `body`: its first line is line 6. */
const withLines = (body: string) => `version: 1
providers:
  neon: { project: shop }
  vercel: { project: shop }
changes:
${body}`;

/** A line `db`, and one `web` whose \`values\` hold `entry`, on line 13 from column 7. */
const withValue = (entry: string) =>
  withLines(`  - id: db
    adapter: neon
    op: branch
  - id: web
    adapter: vercel
    op: env
    values:
      ${entry}
`);

const utf8 = (text: string) => new TextEncoder().encode(text);

const files: readonly BadPlan[] = [
  ['is empty', '', 'PLAN_INVALID', 1, 1, 'start it with `version: 1`'],
  ['holds comments alone', '# nothing yet\n', 'PLAN_INVALID', 1, 1, 'start it with `version: 1`'],
  ['is a list', '- version: 1\n', 'PLAN_INVALID', 1, 1, 'a plan file is a map, not a list'],
  ['is one word', '\nhello\n', 'PLAN_INVALID', 2, 1, 'a plan file is a map, not text'],
  ['is larger than 4 MiB', `version: 1\n#${'x'.repeat(4 * 1024 * 1024)}`, 'PLAN_TOO_LARGE', 1, 1, 'split it'],
  ['is UTF-16', new Uint8Array([0xff, 0xfe, 0x76, 0x00]), 'PLAN_PARSE', 1, 1, 'save it as UTF-8'],
  ['holds a byte that is not UTF-8', new Uint8Array([...utf8('version: 1\nid: é'), 0xc3, 0x28]), 'PLAN_PARSE', 2, 6, 'save the file as UTF-8'],
  ['ends inside a character', new Uint8Array([...utf8('version: 1\nid: a'), 0xe2, 0x82]), 'PLAN_PARSE', 2, 6, 'save the file as UTF-8'],
  ['holds a control character', 'version: 1\nname: a\u0007b\n', 'PLAN_PARSE', 2, 8, 'U+0007'],
  ['holds two documents', 'version: 1\nchanges: []\n---\nversion: 1\n', 'PLAN_PARSE', 3, 1, 'a second YAML document'],
  ['asks for YAML 1.1', '%YAML 1.1\n---\nversion: 1\nchanges: []\n', 'PLAN_PARSE', 1, 1, '%YAML 1.2'],
  ['is indented with tabs', 'version: 1\nchanges:\n\t- id: db\n', 'PLAN_PARSE', 3, 1, 'indent with spaces'],
  ['forgets to close a quote', 'version: 1\nchanges: []\nnote: "half\nmore: 1\n', 'PLAN_PARSE', 3, 7, 'never closed'],
  ['forgets to close a bracket', 'version: 1\nchanges: [\n', 'PLAN_PARSE', 3, 1, 'brackets close'],
  ['writes two values on a line', 'version: 1\nnote: a: b\nchanges: []\n', 'PLAN_PARSE', 2, 7, 'put it in quotes'],
  ['starts a value with @', 'version: 1\nnote: @home\nchanges: []\n', 'PLAN_PARSE', 2, 7, 'put the value in quotes'],
  ['escapes what cannot be escaped', 'version: 1\nnote: "\\q"\nchanges: []\n', 'PLAN_PARSE', 2, 8, 'double the backslash'],
  ['indents one key differently', 'version: 1\nproviders:\n  neon: {}\n vercel: {}\nchanges: []\n', 'PLAN_PARSE', 4, 1, 'the indentation does not fit'],
  ['puts its version in quotes', 'version: "1"\nchanges: []\n', 'PLAN_INVALID', 1, 10, '`version` takes `1` without the quotes'],
  ['says a key twice', 'version: 1\nchanges: []\nversion: 1\n', 'PLAN_PARSE', 3, 1, '`version` stands twice'],
  ['has an unknown tag', withValue('A: !vault x'), 'PLAN_PARSE', 13, 10, 'this tag is not known here'],
  ['nests 65 lists', `version: 1\nchanges: []\nx: ${'['.repeat(65)}${']'.repeat(65)}\n`, 'PLAN_PARSE', 3, 67, '64 levels'],
  ['nests without end', `version: 1\nx: ${'['.repeat(100_000)}`, 'PLAN_PARSE', 2, 67, '64 levels'],
];

const aliases: readonly BadPlan[] = [
  ['names no anchor', withValue('A: *nobody'), 'PLAN_PARSE', 13, 10, '`*nobody` names no anchor above it'],
  ['stands inside its own anchor', 'version: 1\nchanges: &all [ *all ]\n', 'PLAN_PARSE', 2, 17, 'inside its own anchor'],
  ['is merged though it is no map', withValue('<<: [1]'), 'PLAN_PARSE', 13, 11, '`<<` merges maps'],
  // 1,007 values stand before the first alias, and each alias makes 1,002: the 498th passes 500,000.
  [
    'is written a thousand times',
    `version: 1\na: &a [${'x,'.repeat(1000)}]\nb: &b [${'*a,'.repeat(1000)}]\nchanges: []\n`,
    'PLAN_TOO_LARGE',
    3,
    8 + 3 * 497,
    'use fewer aliases',
  ],
  // The list's items are at level 5, and each merge goes one level down: from `m60`, the map `m0` is at level 65.
  [
    'merges a map that merges a map, and so on',
    `version: 1\nproviders:\n  supabase:\n    x:\n      - &m0 { k: 1 }\n${Array.from({ length: 60 }, (_, depth) => `      - &m${depth + 1} { <<: *m${depth} }\n`).join('')}changes: []\n`,
    'PLAN_PARSE',
    65,
    20,
    '64 levels deep, aliases followed',
  ],
  [
    'repeats a long text',
    `version: 1\na: &a ${'x'.repeat(60_000)}\nb: [${'*a,'.repeat(200)}]\nchanges: []\n`,
    'PLAN_TOO_LARGE',
    3,
    5 + 3 * 138,
    'use fewer aliases',
  ],
];

const shape: readonly BadPlan[] = [
  ['has no version', 'changes: []\n', 'PLAN_INVALID', 1, 1, '`version` is missing: write `1`'],
  ['has another version', 'version: "1"\nchanges: []\n', 'PLAN_INVALID', 1, 10, '`version` takes `1`'],
  ['has no changes', 'version: 1\n', 'PLAN_INVALID', 1, 1, '`changes` is missing: write a list'],
  ['has changes without content', 'version: 1\nchanges:\n', 'PLAN_INVALID', 2, 9, '`changes` is missing: write a list'],
  ['has a map of changes', 'version: 1\nchanges:\n  db: {}\n', 'PLAN_INVALID', 3, 3, '`changes` takes a list, not a map'],
  ['misspells a top-level key', 'version: 1\nenviroments: [preview]\nchanges: []\n', 'PLAN_INVALID', 2, 1, 'did you mean `environments`?'],
  ['declares its environments as text', 'version: 1\nenvironments: preview\nchanges: []\n', 'PLAN_INVALID', 2, 15, 'write `environments: [preview]`'],
  ['declares no environment', 'version: 1\nenvironments: []\nchanges: []\n', 'PLAN_INVALID', 2, 15, '`environments` is empty'],
  ['declares an environment without a name', 'version: 1\nenvironments: [preview, ""]\nchanges: []\n', 'PLAN_INVALID', 2, 25, '`environments.1` is empty'],
  ['has a provider block that is text', 'version: 1\nproviders:\n  neon: shop\nchanges: []\n', 'PLAN_INVALID', 3, 9, '`providers.neon` takes a map, not text'],
  ['calls a key __proto__', 'version: 1\n__proto__: {}\nchanges: []\n', 'PLAN_INVALID', 2, 1, 'choose another name'],
  ['has a list for a key', 'version: 1\n? [a]\n: 1\nchanges: []\n', 'PLAN_INVALID', 2, 3, 'a key is text'],
];

const lines: readonly BadPlan[] = [
  ['is text', withLines('  - hello\n'), 'PLAN_INVALID', 6, 5, 'entry 1 of `changes`: this takes a map, not text'],
  ['has no id', withLines('  - adapter: neon\n    op: branch\n'), 'PLAN_INVALID', 6, 5, '`id` is missing: write text'],
  ['has an id with capitals', withLines('  - id: Db\n    adapter: neon\n    op: branch\n'), 'PLAN_INVALID', 6, 9, 'lower-case letters'],
  ['has a number for an id', withLines('  - id: 7\n    adapter: neon\n    op: branch\n'), 'PLAN_INVALID', 6, 9, '`id` takes text, not a number'],
  ['has no op', withLines('  - id: db\n    adapter: neon\n'), 'PLAN_INVALID', 6, 5, '`op` is missing'],
  ['has an empty adapter', withLines('  - id: db\n    adapter: ""\n    op: branch\n'), 'PLAN_INVALID', 7, 14, '`adapter` is empty'],
  [
    'has an id that is taken',
    withLines('  - id: db\n    adapter: neon\n    op: branch\n  - id: db\n    adapter: neon\n    op: branch\n'),
    'PLAN_INVALID',
    9,
    9,
    'is taken by the line at 6:5',
  ],
  [
    'gives its environments as text',
    withLines('  - id: db\n    adapter: neon\n    op: branch\n    environments: preview\n'),
    'PLAN_INVALID',
    9,
    19,
    'write `environments: [preview]`',
  ],
  [
    'names an environment that is not declared',
    'version: 1\nenvironments: [preview, production]\nproviders: { neon: { project: p } }\nchanges:\n  - { id: db, adapter: neon, op: branch, environments: [preveiw] }\n',
    'PLAN_INVALID',
    5,
    57,
    'did you mean `preview`?',
  ],
  ['depends on text', withLines('  - id: db\n    adapter: neon\n    op: branch\n    depends_on: web\n'), 'PLAN_INVALID', 9, 17, 'write `depends_on: [web]`'],
  [
    'depends on a line that is not there',
    withLines('  - id: database\n    adapter: neon\n    op: branch\n  - id: web\n    adapter: vercel\n    op: deploy\n    depends_on: [databse]\n'),
    'REF_UNKNOWN',
    12,
    18,
    'did you mean `database`?',
  ],
  ['depends on itself', withLines('  - id: db\n    adapter: neon\n    op: branch\n    depends_on: [db]\n'), 'REF_CYCLE', 6, 5, 'db → db'],
  [
    'needs a line that needs it',
    withLines(
      '  - id: a\n    adapter: clerk\n    op: redirect_allow\n    url: { from: b.id }\n  - id: b\n    adapter: clerk\n    op: redirect_allow\n    url: { from: a.id }\n',
    ),
    'REF_CYCLE',
    6,
    5,
    'a → b → a',
  ],
];

const values: readonly BadPlan[] = [
  ['is nothing', withValue('A:'), 'PLAN_INVALID', 13, 9, '`A` has no value'],
  ['is a number that cannot be kept', withValue('A: 12345678901234567890'), 'PLAN_INVALID', 13, 10, 'put it in quotes'],
  ['is not a number', withValue('A: .nan'), 'PLAN_INVALID', 13, 10, 'not a finite number'],
  ['is longer than any variable', withValue(`A: ${'x'.repeat(65_537)}`), 'PLAN_INVALID', 13, 10, '65536 are allowed'],
  ['holds NUL', withValue('A: "a\\0b"'), 'PLAN_INVALID', 13, 10, 'NUL'],
  ['holds half a surrogate pair', withValue('A: "\\ud800"'), 'PLAN_INVALID', 13, 10, 'half a surrogate pair'],
  ['refers to a line that is not there', withValue('A: { from: dbb.host }'), 'REF_UNKNOWN', 13, 18, 'did you mean `db`?'],
  ['refers to a line and no output', withValue('A: { from: db }'), 'REF_UNKNOWN', 13, 18, 'write `{ from: line.output }`'],
  [
    'refers to an output that is not there',
    withValue('A: { from: db.hots }'),
    'REF_OUTPUT_UNKNOWN',
    13,
    18,
    'use `db.branch_id`, `db.connection_string` or `db.host`',
  ],
  ['refers by number', withValue('A: { from: 5 }'), 'PLAN_INVALID', 13, 18, '`from` takes text, not a number'],
  ['has a key beside from', withValue('A: { from: db.host, default: x }'), 'PLAN_INVALID', 13, 27, '`default` stands beside `from`'],
  ['has a key beside secret', withValue('A: { cache: 1, secret: env://A }'), 'PLAN_INVALID', 13, 12, '`cache` stands beside `secret`'],
  ['has a key beside keep', withValue('A: { keep: true, secret: [a] }'), 'PLAN_INVALID', 13, 24, '`secret` stands beside `keep`'],
  ['keeps with yes', withValue('A: { keep: yes }'), 'PLAN_INVALID', 13, 18, 'write `{ keep: true }`'],
  ['keeps with false', withValue('A: { keep: false }'), 'PLAN_INVALID', 13, 18, 'not `false`'],
  ['names a secret in a scheme nobody knows', withValue('A: { secret: vault://x }'), 'PLAN_INVALID', 13, 20, 'no secret source `vault://`'],
  ['names a secret of another scheme in another form', withValue('A: { secret: op://v }'), 'PLAN_INVALID', 13, 20, 'write `op://vault/item/field`'],
  ['names a variable that cannot be one', withValue('A: { secret: "env://A B" }'), 'PLAN_INVALID', 13, 20, 'write `env://NAME`'],
  ['names a secret without a scheme', withValue('A: { secret: STRIPE_KEY }'), 'PLAN_INVALID', 13, 20, 'write `{ secret: env://NAME }`'],
  ['fills in a reference', withValue('A: { from: "db.${ctx.env}" }'), 'CTX_NULL', 13, 18, 'not filled in in a reference'],
  ['fills a secret with something unknown', withValue('A: { secret: "env://${ctx.name}" }'), 'CTX_NULL', 13, 20, '`${ctx.name}` is not known'],
  ['fills in with capitals', withValue('A: "${ctx.Scope}"'), 'CTX_NULL', 13, 10, 'did you mean `${ctx.scope}`?'],
  ['fills in with digits', withValue('A: "${ctx.env2}"'), 'CTX_NULL', 13, 10, 'did you mean `${ctx.env}`?'],
  ['fills in from the environment', withValue('A: "${env.HOME}"'), 'CTX_NULL', 13, 10, '`${env.HOME}` is not known: a secret is a whole value'],
  ['fills in a secret', withValue('A: "postgres://${secret:env://PW}@h"'), 'CTX_NULL', 13, 10, 'write `{ secret: env://PW }`'],
  ['fills in what nobody knows', withValue('A: "${pr}"'), 'CTX_NULL', 13, 10, 'write `${ctx.env}`, `${ctx.scope}`'],
  ['names a line without its prefix', withValue('A: "${db.host}"'), 'CTX_NULL', 13, 10, '`${lines.<id>.<output>}`'],
  ['names a line and no output', withValue('A: "${lines.db}"'), 'CTX_NULL', 13, 10, '`${lines.db}` is not known'],
  ['names in a text a line that is not there', withValue('A: "https://${lines.dbb.host}/x"'), 'REF_UNKNOWN', 13, 10, 'did you mean `db`?'],
  ['names in a text an output that is not there', withValue('A: "https://${lines.db.hots}/x"'), 'REF_OUTPUT_UNKNOWN', 13, 10, 'did you mean `host`?'],
  ['names in a text its own line', withValue('A: "https://${lines.web.preview_url}/x"'), 'REF_CYCLE', 9, 5, 'web → web'],
  [
    'names an output in the address of a secret',
    withValue('A: { secret: "env://${lines.db.host}" }'),
    'CTX_NULL',
    13,
    20,
    'not filled in in the address of a secret',
  ],
  ['is a literal secret with an output in it', withValue('A_TOKEN: "${lines.db.host}"'), 'SECRET_LITERAL', 13, 16, '`A_TOKEN` looks like a secret'],
  ['fills in with spaces', withValue('A: "${ ctx.env }"'), 'CTX_NULL', 13, 10, 'did you mean `${ctx.env}`?'],
  ['fills in nothing', withValue('A: "${}"'), 'CTX_NULL', 13, 10, '`${}` is not known'],
  ['never closes a variable', withValue('A: "a ${ctx.env"'), 'CTX_NULL', 13, 10, 'never closed'],
  ['fills in a key', withValue('"A_${ctx.env}": x'), 'CTX_NULL', 13, 7, 'write the key out'],
  ['is a literal key', withValue('STRIPE_KEY: sk_live_1'), 'SECRET_LITERAL', 13, 19, 'write `{ secret: env://NAME }`'],
  ['is a literal secret in small letters', withValue('client_secret: abc'), 'SECRET_LITERAL', 13, 22, '`client_secret` looks like a secret'],
  ['is a literal token in mixed case', withValue('Api_Token: abc'), 'SECRET_LITERAL', 13, 18, '`Api_Token` looks like a secret'],
  ['is a literal password of digits', withValue('DB_PASSWORD: 1234'), 'SECRET_LITERAL', 13, 20, '`DB_PASSWORD` looks like a secret'],
  ['is a literal pass', withValue('SMTP_PASS: x'), 'SECRET_LITERAL', 13, 18, '`SMTP_PASS` looks like a secret'],
  ['is a literal passwd', withValue('PASSWD: x'), 'SECRET_LITERAL', 13, 15, '`PASSWD` looks like a secret'],
  ['is a literal API key', withValue('API_KEY: x'), 'SECRET_LITERAL', 13, 16, '`API_KEY` looks like a secret'],
  ['is a literal private key', withValue('JWT_PRIVATE: x'), 'SECRET_LITERAL', 13, 20, '`JWT_PRIVATE` looks like a secret'],
  ['is a secret filled in from the context', withValue('A_TOKEN: "${ctx.scope}"'), 'SECRET_LITERAL', 13, 16, '`A_TOKEN` looks like a secret'],
  ['is pasted from a pending reference', withValue('A: "(pending ← db.host)"'), 'PLAN_INVALID', 13, 10, 'how a plan shows a value'],
  ['is pasted from a secret', withValue('A: (secret ← env://A)'), 'PLAN_INVALID', 13, 10, 'how a plan shows a value'],
  ['is pasted from a hidden value', withValue('A: (secret)'), 'PLAN_INVALID', 13, 10, '`(secret)`'],
  ['is pasted from a sensitive output', withValue('A: "(sensitive ← db.connection_string)"'), 'PLAN_INVALID', 13, 10, '`(sensitive ←`'],
  ['is pasted in the old pending form', withValue('A: <pending:db.host>'), 'PLAN_INVALID', 13, 10, '`<pending:`'],
  ['is pasted in the old secret form', withValue('A: "<secret>"'), 'PLAN_INVALID', 13, 10, '`<secret>`'],
];

const opsAndBlocks: readonly BadPlan[] = [
  [
    'names an adapter that does not exist',
    withLines('  - id: db\n    adapter: neom\n    op: branch\n'),
    'ADAPTER_UNKNOWN',
    7,
    14,
    'did you mean `neon`?): use `clerk`, `neon` or `vercel`',
  ],
  [
    'names an adapter of a later version',
    withLines('  - id: n\n    adapter: netlify\n    op: env\n'),
    'ADAPTER_UNKNOWN',
    7,
    14,
    'not available in this version yet',
  ],
  [
    'names an adapter of a later version',
    withLines('  - id: n\n    adapter: netlify\n    op: env\n    title: Call\n'),
    'ADAPTER_UNKNOWN',
    7,
    14,
    'not available in this version yet',
  ],
  [
    'names an op that does not exist',
    withLines('  - id: w\n    adapter: vercel\n    op: envs\n'),
    'OP_UNKNOWN',
    8,
    9,
    'did you mean `env`?): use `env` or `deploy`',
  ],
  ['misspells a parameter', withLines('  - id: db\n    adapter: neon\n    op: branch\n    nam: x\n'), 'PARAM_INVALID', 9, 5, 'did you mean `name`?'],
  [
    'misspells a key of every line',
    withLines('  - id: db\n    adapter: neon\n    op: branch\n    enviroments: [preview]\n'),
    'PARAM_INVALID',
    9,
    5,
    'did you mean `environments`?',
  ],
  ['leaves out a parameter', withLines('  - id: r\n    adapter: clerk\n    op: redirect_allow\n'), 'PARAM_INVALID', 6, 5, '`url` is missing: write text'],
  [
    'gives a number for text',
    withLines('  - id: db\n    adapter: neon\n    op: branch\n    name: 5\n'),
    'PARAM_INVALID',
    9,
    11,
    '`name` takes text, not a number',
  ],
  [
    'gives a target that does not exist',
    withLines('  - id: w\n    adapter: vercel\n    op: env\n    target: prodution\n'),
    'PARAM_INVALID',
    9,
    13,
    'takes `preview`, `production` or `development` (did you mean `production`?)',
  ],
  ['gives a map for a value', withValue('A: { frm: db.host }'), 'PARAM_INVALID', 13, 12, 'did you mean `from`?'],
  ['misspells a variable of an op', withValue('9A: x'), 'PARAM_INVALID', 13, 7, 'no digit first'],
  [
    'refers where no reference is taken',
    withLines('  - { id: db, adapter: neon, op: branch }\n  - { id: w, adapter: vercel, op: env, target: { from: db.host } }\n'),
    'PARAM_INVALID',
    7,
    48,
    '`target` takes `preview`, `production` or `development`',
  ],
  ['misses a block', 'version: 1\nchanges:\n  - id: db\n    adapter: neon\n    op: branch\n', 'PLAN_INVALID', 4, 14, '`project` is missing'],
  ['misspells a key of a block', 'version: 1\nproviders:\n  vercel: { project: p, tea: x }\nchanges: []\n', 'PLAN_INVALID', 3, 25, 'did you mean `team`?'],
  ['has a block of no adapter', 'version: 1\nproviders:\n  vercle: { project: p }\nchanges: []\n', 'ADAPTER_UNKNOWN', 3, 3, 'did you mean `vercel`?'],
  ['writes a secret into a block', 'version: 1\nproviders:\n  netlify:\n    auth_token: abc\nchanges: []\n', 'SECRET_LITERAL', 4, 17, 'name the variable'],
  [
    'writes secrets into a list of a block',
    'version: 1\nproviders:\n  supabase: { a: { api_key: [abc] } }\nchanges: []\n',
    'SECRET_LITERAL',
    3,
    30,
    '`api_key` looks like a secret',
  ],
  [
    'has null in a list of a block',
    'version: 1\nproviders:\n  supabase: { a: { codes: [1, ~] } }\nchanges: []\n',
    'PLAN_INVALID',
    3,
    31,
    'item 2 of `codes` has no value',
  ],
  [
    'takes an output where what else is read depends on it',
    withLines('  - { id: db, adapter: neon, op: branch }\n  - { id: w, adapter: vercel, op: env, target: "${ctx.env}${lines.db.host}" }\n'),
    'PARAM_INVALID',
    7,
    48,
    '`target` takes `preview`, `production` or `development`',
  ],
  ['escapes in a block', 'version: 1\nproviders:\n  netlify: { site: "a$${b" }\nchanges: []\n', 'CTX_NULL', 3, 20, 'is not read in a provider block'],
  ['fills in a block', 'version: 1\nproviders:\n  netlify: { site: "${ctx.env}" }\nchanges: []\n', 'CTX_NULL', 3, 20, 'not filled in in a provider block'],
  [
    'refers out of a block',
    'version: 1\nproviders:\n  netlify: { site: { from: db.host } }\nchanges: []\n',
    'PLAN_INVALID',
    3,
    28,
    'no meaning in a provider block',
  ],
];

describe.each([
  ['a plan file that', files],
  ['an alias that', aliases],
  ['a file that', shape],
  ['a line that', lines],
  ['a value that', values],
  ['a line or block that', opsAndBlocks],
] as const)('%s', (_, table) => {
  it.each(table)('%s is refused with a place and a remedy (R1.15, R1.22)', (_title, text, code, line, column, message) => {
    const { plan, problems } = readPlan(text, 'release.plan.yaml', sampleRegistry);

    expect(plan).toBeUndefined();
    expect(problems.map((problem) => [problem.code, problem.at?.line, problem.at?.column])).toEqual([[code, line, column]]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.at?.file).toBe('release.plan.yaml');
  });
});
