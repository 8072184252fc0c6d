/** Bad plan files and policies: at the readers, which answer with every mistake and its place. */
import { registry } from '../../../shared/adapters/registry.ts';
import type { Problem } from '../../../shared/errors/error.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import { readPolicy } from '../../../shared/policy/read.ts';
import { damagedText } from './damage.ts';
import type { Door } from './door.ts';

/** A plan with something of every kind of line in it. */
export const goodPlan = `version: 1
environments: [preview, production]
providers:
  neon: { project: shop }
  vercel: { project: shop, team: t }
changes:
  - id: db
    adapter: neon
    op: branch
    name: "x-\${ctx.scope}"
  - id: web
    adapter: vercel
    op: env
    depends_on: [db]
    values: &values
      URL: { from: db.connection_string }
      KEY: { secret: env://KEY }
      MODE: "preview of \${ctx.git.branch}"
  - { id: cb, adapter: clerk, op: redirect_allow, url: { from: web.preview_url } }
  - { id: net, adapter: terraform, op: root, path: infra/net, variables: { size: 3 } }
  - { id: ask, adapter: manual, op: step, title: Turn the tap, instructions: Turn the tap }
`;

export const goodPolicy = `version: 1
environments:
  production:
    approvers: [{ github: robin, slack: U0000ROBIN, aws: 'arn:aws:iam::123456789012:user/robin' }]
    required: 1
    slack: { channel: C0RELEASES, mention: S0RELEASERS }
    lease_ttl: 20m
  staging: { approvers: [{ github: alex }] }
checks: always
`;

/** Files that grow while they are read, or are deeper than anybody writes. */
const bombs: readonly ((size: number) => string)[] = [
  (size) =>
    `a0: &a0 [x, x]\n${Array.from({ length: size }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}, *a${at}]\n`).join('')}version: 1\nchanges: *a${size}\n`,
  (size) => `version: 1\nchanges: ${'['.repeat(size * 40)}${']'.repeat(size * 40)}\n`,
  (size) => `version: 1\nchanges:\n${Array.from({ length: size * 20 }, (_, at) => `${'  '.repeat(at)}- a:\n`).join('')}`,
  (size) => `version: 1\nchanges:\n${'  - { id: db, adapter: neon, op: branch, name: x }\n'.repeat(size * 10)}`,
  (size) => `version: 1\nchanges:\n  - { id: ${'y'.repeat(size * 2_000)}, adapter: neon, op: branch, name: x }\n`,
  (size) => `version: 1\n? { a: [1, 2] }\n: ${'- '.repeat(size)}x\n`,
  (size) => `%YAML 1.1\n---\nversion: 0o${size}\nchanges: !!binary ${'A'.repeat(size)}\n`,
  (size) => `${'\u0000'.repeat(size)}version: 1\n`,
];

type Read = { readonly problems: readonly Problem[]; readonly accepted: boolean };

/** @param heads replaced by a damaged text of it, mostly; else a bomb. */
const reader = (name: string, count: number, good: string, read: (bytes: Uint8Array) => Read): Door => ({
  name,
  count,
  async send(random) {
    const bytes = random.chance(0.12)
      ? Buffer.from(random.one(bombs)(1 + random.below(40)))
      : twice(good, random.chance(0.4), (text) => damagedText(text, random));
    const { problems, accepted } = read(bytes);
    if (accepted) return { answer: 'accepted: still a good one' };
    const [first] = problems;
    if (!first) return { answer: 'refused', wrong: 'it is refused, and nobody is told why' };
    const told = problems.every(({ message, at }) => /\S/.test(message) && message.length < 2_000 && (at?.line ?? 1) >= 1);
    return { answer: first.code, ...(told ? {} : { wrong: `a mistake without a place, or without an end: ${JSON.stringify(first).slice(0, 200)}` }) };
  },
});

const twice = (text: string, more: boolean, damage: (text: string) => Buffer): Buffer => (more ? damage(damage(text).toString('latin1')) : damage(text));

export const plans = reader('plan', 1_400, goodPlan, (bytes) => {
  const { plan: read, problems } = readPlan(bytes, 'release.plan.yaml', registry);
  return { problems, accepted: read !== undefined };
});

export const policies = reader('policy', 900, goodPolicy, (bytes) => {
  const { policy: read, problems } = readPolicy(bytes, 'lockkeeper.yaml');
  return { problems, accepted: read !== undefined };
});
