import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { GithubApp } from '../../../shared/platform/github/app.ts';
import { appEvents, appPermissions } from '../../../shared/platform/github/app-needs.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
import type { Probes } from './probes.ts';
import { reportOfFindings } from './report.ts';
import { neededOutputs } from './stack.ts';

const version = '0.1.0';
const code = '00112233445566aa';
const webhookUrl = 'https://a1b2c3d4.execute-api.eu-central-1.amazonaws.com/webhooks/github';
const slackUrl = 'https://a1b2c3d4.execute-api.eu-central-1.amazonaws.com/slack/interactions';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  // As GitHub hands it out.
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ecKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const hexKey = (digit: string) => JSON.stringify({ id: '1', key: digit.repeat(64) });

const outputs: Record<string, string> = {
  ...Object.fromEntries(neededOutputs.map((name) => [name, `the ${name}`])),
  Version: version,
  CodeHash: code,
  WebhookUrl: webhookUrl,
  WebhookSecretName: 'lockkeeper/github-webhook',
  GithubAppSecretName: 'lockkeeper/github-app',
  SlackSecretName: 'lockkeeper/slack',
  SlackInteractionsUrl: slackUrl,
};
const secrets: Record<string, string> = {
  'lockkeeper/github-webhook': 'webhook-secret-value-1b3d5f7a9c',
  'lockkeeper/github-app': JSON.stringify({ appId: '1204512', privateKey }),
  'lockkeeper/fingerprint-key': hexKey('a'),
  'lockkeeper/sealing-key': hexKey('b'),
  'lockkeeper/slack': JSON.stringify({ botToken: 'xoxb-the-token-of-the-bot', signingSecret: 'the signing secret of the app' }),
};
const described = { slug: 'lockkeeper-acme', permissions: { ...appPermissions }, events: [...appEvents] };
const hook = { url: webhookUrl, content_type: 'json', secret: '********', insecure_ssl: '0' };
const installation = { account: { login: 'acme' }, permissions: { ...appPermissions }, events: [...appEvents], suspended_at: null };

const delivery = (status: number) => ({ id: '1', guid: 'g', at: 0, status });
const now = Date.parse('2026-03-05T12:00:00Z');
const parameters = { Repositories: 'acme/storefront' };

const githubOf =
  (app: Partial<GithubApp> = {}): Probes['app'] =>
  () => ({
    describe: async () => described,
    hook: async () => hook,
    installations: async () => [installation],
    deliveriesSince: async () => [delivery(202), delivery(204)],
    ...app,
  });

/** An installation in which everything is in place, but for what is given. */
const installed = (instead: Partial<Probes> = {}): Probes => ({
  stack: async () => ({ status: 'UPDATE_COMPLETE', outputs, parameters }),
  scheduleState: async () => 'ENABLED',
  secret: async (id) =>
    secrets[id] === undefined ? { found: false, why: `the secret ${id} does not exist, or has no value` } : { found: true, value: secrets[id] },
  depth: async () => ({ visible: 0, inFlight: 0 }),
  mappingState: async () => 'Enabled',
  subscriptions: async () => 1,
  concurrency: async () => 1000,
  projects: async (names) => names,
  secretNames: async () => ['lockkeeper/github-app', 'lockkeeper/preview/NEON_API_KEY', 'lockkeeper/preview/VERCEL_TOKEN'],
  knock: async () => 401,
  app: githubOf(),
  slackTeam: async () => 'T0000ACME',
  ...instead,
});

const stranger = { ...installation, account: { login: 'beta' } };
const disabled = (queue: string): Partial<Probes> => ({ mappingState: async (url) => (url === queue ? 'Disabled' : 'Enabled') });

const withSecret = (name: string, value: string | undefined): Partial<Probes> => ({
  secret: async (id) => {
    const held = id === name ? value : secrets[id];
    return held === undefined ? { found: false, why: `the secret ${id} does not exist, or has no value` } : { found: true, value: held };
  },
});

const withStack = (changed: Partial<Record<string, string>>, status = 'CREATE_COMPLETE'): Partial<Probes> => ({
  stack: async () => ({
    status,
    parameters,
    outputs: Object.fromEntries(Object.entries({ ...outputs, ...changed }).filter(([, value]) => value !== undefined)) as Record<string, string>,
  }),
});

const look = (probes: Probes): Promise<Finding[]> =>
  examine(probes, { stack: 'Lockkeeper', version, code, now }, (text) => text.replaceAll('hunter2', '[REDACTED]'));
const notes = async (probes: Probes): Promise<string[]> =>
  (await look(probes)).flatMap(({ check, ok, says, remedy }) => (ok && remedy !== undefined ? [`${check}: ${says}`] : []));
const withList = (list: string): Partial<Probes> => ({ stack: async () => ({ status: 'CREATE_COMPLETE', outputs, parameters: { Repositories: list } }) });
const missing = async (probes: Probes): Promise<string[]> => (await look(probes)).filter(({ ok }) => !ok).map(({ check, says }) => `${check}: ${says}`);

describe('lockkeeper doctor', () => {
  it('finds nothing missing where everything is in place, and looked at all of it', async () => {
    const findings = await look(installed());
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'stack',
      'version',
      'Repositories',
      'secret lockkeeper/github-webhook',
      'secret lockkeeper/github-app',
      'secret lockkeeper/fingerprint-key',
      'secret lockkeeper/sealing-key',
      'webhook',
      'GitHub App',
      'GitHub App permissions',
      'GitHub App events',
      'GitHub App webhook',
      'GitHub App installations',
      'GitHub App and Repositories',
      'GitHub App deliveries',
      'Slack',
      'Slack interactions',
      'secrets of plans',
      'control queue',
      'lines queue',
      'tool projects',
      'roles of stacks',
      'schedule',
      'alarms',
      'concurrency',
    ]);
    expect(await notes(installed())).toEqual([]);
  });

  it('takes it that nobody wants Slack where its secret is empty, and looks closely where it is not', async () => {
    const bare = await look(installed(withSecret('lockkeeper/slack', undefined)));
    expect(bare.filter(({ check }) => check.startsWith('Slack'))).toMatchObject([{ ok: true, says: expect.stringContaining('not set up') }]);
    expect(await missing(installed(withSecret('lockkeeper/slack', 'xoxb-alone')))).toEqual(['Slack: the value of lockkeeper/slack cannot be used']);
    const refused = new LockkeeperError({ code: 'PROVIDER_AUTH', message: 'slack: auth.test was refused: token_revoked.' });
    expect(await missing(installed({ slackTeam: async () => Promise.reject(refused) }))).toEqual(['Slack: slack: auth.test was refused: token_revoked.']);
    const unseen: Partial<Probes> = { knock: async (url) => (url === slackUrl ? 404 : 401) };
    expect(await missing(installed(unseen))).toEqual([`Slack interactions: ${slackUrl} answers an unsigned request with 404 where 401 belongs`]);
  });

  it('asks for no permission on members where a person has no organization that could grant it', async () => {
    const { members: _members, ...permissions } = appPermissions;
    const by = (account: { login: string; type: string }) => githubOf({ installations: async () => [{ ...installation, account, permissions }] });
    expect(await missing(installed({ app: by({ login: 'acme', type: 'User' }) }))).toEqual([]);
    expect(await missing(installed({ app: by({ login: 'acme', type: 'Organization' }) }))).toHaveLength(1);
  });

  it('looks at nothing else where there is no stack, or one that is not whole', async () => {
    expect(await missing(installed({ stack: async () => undefined }))).toEqual(['stack: there is no stack Lockkeeper in this account and region']);
    expect(await missing(installed(withStack({}, 'UPDATE_ROLLBACK_FAILED')))).toEqual(['stack: Lockkeeper is UPDATE_ROLLBACK_FAILED']);
    const [foreign] = await missing(installed(withStack({ TableName: undefined, ScheduleName: undefined })));
    expect(foreign).toContain('Lockkeeper does not tell TableName, ScheduleName');
  });

  it.each([
    ['a stack of another version', withStack({ Version: '0.0.9' }), 'version: the stack is 0.0.9, this command is 0.1.0'],
    [
      'a webhook secret with a line end',
      withSecret('lockkeeper/github-webhook', 'webhook-secret-value-1b3d5f7a9c\n'),
      'github-webhook: its value cannot be used',
    ],
    ['a webhook secret somebody typed', withSecret('lockkeeper/github-webhook', 'swordfish'), 'github-webhook: its value cannot be used'],
    [
      'a sealing key of the wrong length',
      withSecret('lockkeeper/sealing-key', JSON.stringify({ id: '1', key: 'abc' })),
      'sealing-key: its value cannot be used',
    ],
    ['a fingerprint key that is gone', withSecret('lockkeeper/fingerprint-key', undefined), 'fingerprint-key does not exist'],
    [
      'a project in which tools run that is gone',
      { projects: async ([plan]) => [String(plan)] },
      'tool projects: there is no CodeBuild project the ToolApplyProjectName',
    ],
    ['a webhook that answers 200', { knock: async (url) => (url === webhookUrl ? 200 : 401) }, 'answers an unsigned request with 200 where 401 belongs'],
    ['a webhook that cannot read its secret', { knock: async (url) => (url === webhookUrl ? 503 : 401) }, 'answers an unsigned request with 503'],
    ['an App whose key GitHub does not take', { app: githubOf({ describe: () => refused() }) }, 'GitHub does not take its id and private key together'],
    [
      'an App without a permission',
      { app: githubOf({ describe: async () => ({ ...described, permissions: { ...appPermissions, checks: 'read' } }) }) },
      'missing: checks: write',
    ],
    [
      'an App that hears nothing of deployments',
      { app: githubOf({ describe: async () => ({ ...described, events: appEvents.filter((one) => one !== 'deployment_status') }) }) },
      'missing: deployment_status',
    ],
    [
      'an App that is sent elsewhere',
      { app: githubOf({ hook: async () => ({ ...hook, url: 'https://old.example/hook' }) }) },
      'GitHub sends to https://old.example/hook',
    ],
    ['an App that sends forms', { app: githubOf({ hook: async () => ({ ...hook, content_type: 'form' }) }) }, 'its content type is form'],
    [
      'an App without a webhook secret',
      { app: githubOf({ hook: async () => ({ url: webhookUrl, content_type: 'json', insecure_ssl: '0' }) }) },
      'it has no secret',
    ],
    ['an App that does not verify TLS', { app: githubOf({ hook: async () => ({ ...hook, insecure_ssl: '1' }) }) }, 'SSL verification is off'],
    ['an App that is installed nowhere', { app: githubOf({ installations: async () => [] }) }, 'it is installed nowhere'],
    [
      'an owner who suspended the App',
      { app: githubOf({ installations: async () => [{ ...installation, suspended_at: '2026-01-01T00:00:00Z' }] }) },
      'suspended by acme',
    ],
    [
      'an owner who has not accepted',
      { app: githubOf({ installations: async () => [installation, { ...installation, account: { login: 'beta' }, permissions: { metadata: 'read' } }] }) },
      'beta has not accepted',
    ],
    ['one dead letter', { depth: async (url: string) => ({ visible: url.includes('LinesDead') ? 1 : 0, inFlight: 0 }) }, 'lines queue: 1 dead letter'],
    ['a list that serves nobody', withList(''), 'the list is empty: every webhook is refused with 403'],
    ['an owner on the list who has not installed the App', withList('acme/storefront, other/*'), 'the list names other, where the App is not installed'],
    [
      'an account without a single secret of a plan',
      { secretNames: async () => ['lockkeeper/github-app', 'lockkeeper/a/b/C'] },
      'there is none below lockkeeper/',
    ],
    ['a mapping that is disabled', disabled('the LinesQueueUrl'), 'lines queue: what hands its messages to a function is disabled'],
    ['a mapping of dead letters that is disabled', disabled('the ControlDeadLetterQueueUrl'), 'dead letters of control: what hands its messages'],
    ['a queue that nothing reads', { mappingState: async (url: string) => (url === 'the ControlQueueUrl' ? undefined : 'Enabled') }, 'no function reads it'],
    ['a stack without a gate', withStack({ StateMachineArn: undefined, AlarmTopicArn: undefined }), 'does not tell StateMachineArn, AlarmTopicArn'],
    ['a webhook secret that is another one at GitHub', { app: githubOf({ deliveriesSince: async () => [delivery(401), delivery(202)] }) }, 'answered 401'],
    ['a webhook that GitHub does not reach', { app: githubOf({ deliveriesSince: async () => [delivery(0)] }) }, 'answered not at all'],
    ['a schedule that was switched off', { scheduleState: async () => 'DISABLED' }, 'schedule: it is disabled'],
    ['a schedule that is gone', { scheduleState: async () => undefined }, 'schedule: there is none'],
  ] satisfies [string, Partial<Probes>, string][])('sees %s, and nothing else', async (_, instead, says) => {
    const found = await missing(installed(instead));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  it.each([
    [
      'code that is not the one built here',
      withStack({ CodeHash: 'ffff000000000000' }),
      'its code is ffff000000000000 and the one built here is 00112233445566aa',
    ],
    ['a topic that tells nobody', { subscriptions: async () => 0 }, 'nobody is told of an alarm'],
    ['an account that may run ten functions', { concurrency: async () => 10 }, 'the account may run 10 functions at once'],
    [
      'deliveries that were lost and are over',
      { app: githubOf({ deliveriesSince: async () => [delivery(202), delivery(503)] }) },
      '1 of 2 within a day were not taken',
    ],
    [
      'an owner who installed the App and is not served',
      { app: githubOf({ installations: async () => [installation, stranger] }) },
      'installed by beta, who is not on the list',
    ],
  ] satisfies [string, Partial<Probes>, string][])('notes %s, which stops nothing', async (_, instead, says) => {
    expect(await missing(installed(instead))).toEqual([]);
    const found = await notes(installed(instead));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  it('asks for no more than a day of deliveries, and holds no id and no star against an installation', async () => {
    const asked: number[] = [];
    const deliveriesSince = async (moment: number) => {
      asked.push(moment);
      return [];
    };
    const probes = installed({ ...withList('*, 123456'), app: githubOf({ deliveriesSince, installations: async () => [stranger] }) });
    expect([await missing(probes), await notes(probes)]).toEqual([[], []]);
    expect(asked).toEqual([now - 86_400_000, now - 86_400_000]);
  });

  it.each([
    ['no value', undefined, 'does not exist, or has no value'],
    ['no JSON', '-----BEGIN RSA PRIVATE KEY-----', 'it must be JSON with an "appId"'],
    ['no private key', '{"appId":1}', 'it must be JSON with a "privateKey"'],
    ['a key without its line ends', JSON.stringify({ appId: 1, privateKey: privateKey.replaceAll('\n', ' ') }), 'has lost its line ends'],
    ['a key of another kind', JSON.stringify({ appId: 1, privateKey: ecKey }), 'is no RSA key'],
  ])('does not ask GitHub with an App secret that has %s', async (_, value, says) => {
    let asked = false;
    const app = () => {
      asked = true;
      return githubOf()({ appId: 1, privateKey });
    };
    const found = await missing(installed({ ...withSecret('lockkeeper/github-app', value), app }));
    expect(found).toHaveLength(2);
    expect(found[0]).toContain(says);
    expect(found[1]).toContain('GitHub was not asked');
    expect(asked).toBe(false);
  });

  it('makes every other check when one cannot be made, and masks what it says of that', async () => {
    const deny = async () => {
      throw new Error('not authorized with hunter2');
    };
    const findings = await look(
      installed({ depth: deny, secret: deny, knock: deny, scheduleState: deny, subscriptions: deny, concurrency: deny, secretNames: deny, projects: deny }),
    );
    expect(findings.filter(({ ok }) => ok).map(({ check }) => check)).toEqual(['stack', 'version', 'Repositories']);
    expect(findings.filter(({ ok }) => !ok)).toHaveLength(11);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it('never says a value, whatever is wrong with it', async () => {
    const broken = Object.fromEntries(Object.keys(secrets).map((id) => [id, 'hunter3']));
    const findings = await look(installed({ secret: async (id) => ({ found: true, value: String(broken[id]) }) }));
    expect(findings.filter(({ ok }) => !ok)).toHaveLength(6);
    expect(JSON.stringify(findings)).not.toContain('hunter3');
    expect(JSON.stringify(await look(installed()))).not.toMatch(/webhook-secret-value|BEGIN RSA|aaaa|bbbb/);
  });
});

describe('the report', () => {
  const screen = { paint: painter(false), colour: false, width: 100 };

  it('prints a line for each check, and below what is missing what to do', () => {
    const answer = reportOfFindings('Lockkeeper', [
      { check: 'stack', ok: true, says: 'there' },
      { check: 'schedule', ok: false, says: 'it is disabled', remedy: 'Enable it.' },
    ]);
    expect(answer.text(screen)).toBe(
      'ok       stack     there\nmissing  schedule  it is disabled\n                   Enable it.\n1 of 2 checks of stack Lockkeeper found something missing.\n',
    );
    expect(answer).toMatchObject({ exit: 1, problem: { code: 'STACK_INCOMPLETE' }, document: { stack: 'Lockkeeper', checks: [{ ok: true }, { ok: false }] } });
  });

  it('exits 0, without a problem, when nothing is missing', () => {
    const answer = reportOfFindings('Lockkeeper', [{ check: 'stack', ok: true, says: 'there' }]);
    expect(answer.exit).toBe(0);
    expect(answer.problem).toBeUndefined();
    expect(answer.text(screen)).toContain('Everything is in place.');
    const noted = reportOfFindings('Lockkeeper', [{ check: 'alarms', ok: true, says: 'nobody is told', remedy: 'Subscribe.' }]);
    expect(noted.exit).toBe(0);
    expect(noted.text(screen)).toBe('note     alarms  nobody is told\n                 Subscribe.\nNothing is missing; 1 note above.\n');
  });
});

async function refused(): Promise<never> {
  throw new LockkeeperError({ code: 'PROVIDER_AUTH', message: 'GitHub refuses' });
}
