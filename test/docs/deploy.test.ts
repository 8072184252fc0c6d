import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startingEvents } from '../../functions/github-webhook/intake-of.ts';
import { usualVersions } from '../../functions/tool-job/install/releases.ts';
import { synthesizeTemplate } from '../../infra/template.ts';
import { awsTiming } from '../../infra/timing.ts';
import { stackRoles } from '../../infra/tool-projects.ts';
import { type Access, appEvents, appPermissions, covers } from '../../shared/platform/github/app-needs.ts';
import { ofType } from '../template/reading.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/deploy.md');
const template = synthesizeTemplate({ timing: awsTiming });

/** Which permission GitHub asks for, by the route as it is called here. docs.github.com/rest/authentication/permissions-required-for-github-apps */
const needed: Readonly<Record<string, readonly [string, Access] | 'the app itself' | 'a person’s token'>> = {
  'GET /commits/{commit}/check-runs': ['checks', 'read'],
  'POST /check-runs': ['checks', 'write'],
  'PATCH /check-runs/{id}': ['checks', 'write'],
  'GET /commits/{commit}/pulls': ['pull_requests', 'read'],
  'GET /pulls': ['pull_requests', 'read'],
  'GET /pulls/{number}': ['pull_requests', 'read'],
  'GET /issues/{pullRequest}/comments': ['pull_requests', 'read'],
  'POST /issues/{pullRequest}/comments': ['pull_requests', 'write'],
  'GET /issues/comments/{id}': ['issues', 'read'],
  'PATCH /issues/comments/{id}': ['pull_requests', 'write'],
  'GET /issues': ['issues', 'read'],
  'GET /issues/{number}': ['issues', 'read'],
  'POST /issues': ['issues', 'write'],
  'PATCH /issues/{number}': ['issues', 'write'],
  // Who edited an issue's body, and nothing else.
  'POST /graphql': ['issues', 'read'],
  'GET /compare/{base}...{commit}': ['contents', 'read'],
  'GET /contents/{path}': ['contents', 'read'],
  'GET /tarball/{commit}': ['contents', 'read'],
  'GET /git/ref/{ref}': ['contents', 'read'],
  'GET /commits/{commit}': ['contents', 'read'],
  'GET /collaborators/{username}/permission': ['metadata', 'read'],
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': ['members', 'read'],
  'GET /repos/{owner}/{repo}/installation': 'the app itself',
  'POST /app/installations/{installation}/access_tokens': 'the app itself',
  'GET /app': 'the app itself',
  'GET /app/hook/config': 'the app itself',
  'GET /app/hook/deliveries': 'the app itself',
  'POST /app/hook/deliveries/{delivery}/attempts': 'the app itself',
  'GET /app/installations': 'the app itself',
  'GET /user': 'a person’s token',
};

/** Routes written in what talks to GitHub, but for those whose path is put together. */
function routes(): string[] {
  const files = globSync('shared/platform/github/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const found = files.flatMap((file) => [...read(file).matchAll(/['"`]((?:GET|POST|PATCH|PUT|DELETE) \/[^'"`?\s]*)/g)].map(([, route = '']) => route));
  return [...new Set(found)].filter((route) => !route.includes('${')).sort();
}

describe('docs/deploy.md', () => {
  const manifest = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}') as { default_permissions: unknown; default_events: unknown };

  it('says of stacks what is so: versions that are fetched, and what roles are called and trust', () => {
    const { terraform, tofu, pulumi } = usualVersions;
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`Terraform ${terraform}, OpenTofu ${tofu} or Pulumi ${pulumi}`);
    expect(Object.keys(template.Outputs ?? {})).toContain('LineWorkerRoleArn');
    expect(page).toContain('output\n`LineWorkerRoleArn`');
    expect(stackRoles).toMatch(/:iam::\*:role\/lockkeeper-stack-\*$/);
  });

  it('gives the App the permissions and events that doctor looks for', () => {
    expect(manifest.default_permissions).toEqual(appPermissions);
    expect(manifest.default_events).toEqual(appEvents);
  });

  it('has an address that fills in the same in GitHub’s form', () => {
    const [address = ''] = /https:\/\/github\.com\/organizations\/ORG\/settings\/apps\/new\?\S+/.exec(page) ?? [];
    const query = new URL(address).searchParams;
    expect(query.getAll('events[]')).toEqual(appEvents);
    const named = ['name', 'url', 'public', 'webhook_active', 'webhook_url', 'events[]'];
    expect(Object.fromEntries([...query].filter(([name]) => !named.includes(name)))).toEqual(appPermissions);
    expect(named.filter((name) => !query.has(name))).toEqual([]);
    // A secret in an address stays in a history.
    expect(query.has('webhook_secret')).toBe(false);
  });

  it('gives it every permission that a route we call needs, and the events that start something', () => {
    expect(routes().length).toBeGreaterThan(8);
    const unknown = routes().filter((route) => needed[route] === undefined);
    expect(unknown).toEqual([]);
    for (const route of routes()) {
      const what = needed[route];
      if (Array.isArray(what)) expect([route, covers(appPermissions[what[0]], what[1])]).toEqual([route, true]);
    }
    expect(startingEvents.toSorted()).toEqual([...appEvents].sort());
  });

  it('names every secret, parameter and output by the name it has in the template', () => {
    const secrets = ofType(template, 'AWS::SecretsManager::Secret').map(([, { Properties }]) => String(Properties?.['Name']));
    for (const name of secrets) expect(page).toContain(`\`${name}\``);
    expect(secrets).toHaveLength(5);
    expect(Object.keys(template.Parameters ?? {}).filter((name) => name !== 'BootstrapVersion')).toEqual(['Repositories']);
    for (const [, name] of page.matchAll(/`([A-Z][A-Za-z]+(?:Url|Arn|Name))`/g)) expect(Object.keys(template.Outputs ?? {})).toContain(name);
  });

  it('says of everything that outlives the stack that it does, and of nothing else', () => {
    const kept = Object.values(template.Resources).filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'));
    expect(kept.map(({ Type, Properties }) => Properties?.['Name'] ?? Type).sort()).toEqual([
      'AWS::DynamoDB::Table',
      'AWS::S3::Bucket',
      'lockkeeper/fingerprint-key',
      'lockkeeper/sealing-key',
    ]);
    for (const row of ['| the table |', '| the bucket |', '| `lockkeeper/fingerprint-key`, `lockkeeper/sealing-key` |']) expect(page).toContain(row);
  });

  it('says what a first deployment that failed leaves behind', () => {
    const left = Object.values(template.Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(left.map(({ Type }) => Type)).toEqual(['AWS::DynamoDB::Table']);
    expect(page).toMatch(/### If the first deploy fails\n\n[\s\S]*one empty table/);
  });
});

describe('what an idle stack costs', () => {
  it('is counted from the template in README.md', () => {
    const readme = read('README.md').replaceAll(/\s+/g, ' ');
    // More than one metric in an alarm would be paid for each.
    for (const [, { Properties }] of ofType(template, 'AWS::CloudWatch::Alarm')) expect(Properties).toHaveProperty('MetricName');
    const counts = ['AWS::SecretsManager::Secret', 'AWS::Lambda::EventSourceMapping', 'AWS::CloudWatch::Alarm', 'AWS::Logs::MetricFilter'].map(
      (type) => ofType(template, type).length,
    );
    expect(counts).toEqual([5, 4, 12, 5]);
    for (const said of ['five secrets at $0.40', 'four empty queues', 'twelve alarms at $0.10', 'five metrics of its own']) expect(readme).toContain(said);
  });
});

describe('the npm package called localstack', () => {
  it('is in no list of dependencies and started by no script', () => {
    const { scripts, ...lists } = JSON.parse(read('package.json')) as { scripts: Record<string, string> } & Record<string, Record<string, string>>;
    const named = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((list) => Object.keys(lists[list] ?? {}));
    expect(named).not.toContain('localstack');
    expect(read('package-lock.json')).not.toContain('"node_modules/localstack"');
    for (const script of Object.values(scripts)) expect(script).not.toMatch(/\bnpx\b.*\blocalstack\b/);
  });
});
