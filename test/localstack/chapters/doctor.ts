import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appEvents, appPermissions } from '../../../shared/platform/github/app-needs.ts';
import { canaries } from '../../e2e/house.ts';
import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { stackName } from '../cdk.ts';
import type { Endpoint } from '../endpoint.ts';
import { lockkeeper } from '../lockkeeper.ts';

interface Document {
  readonly ok: boolean;
  readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly says: string; readonly remedy?: string }[];
}

/** `lockkeeper doctor` looks at what was deployed; of GitHub it is told what it would be told of an App made by the manifest. */
export const doctor = (endpoint: Endpoint): Chapter => ({
  name: 'doctor',
  title: 'The doctor is asked',
  after: [],
  async tell(world, page) {
    const webhookUrl = String(world.house.stack.outputs['WebhookUrl']);
    const github = await appAnswers(webhookUrl);
    const ask = async (stack: string) => {
      const { exit, stdout, stderr } = await lockkeeper(endpoint, ['doctor', '--stack', stack, '--json'], { GITHUB_API_URL: github.url });
      check(stdout.startsWith('{'), 'doctor answers with a document', stderr);
      check(!Object.values(canaries).some((secret) => stdout.includes(secret)), 'no secret is in it');
      return { exit, ...(JSON.parse(stdout) as Document) };
    };
    try {
      const found = await ask(stackName);
      const missing = found.checks.filter(({ ok }) => !ok);
      check(found.exit === 0 && found.ok && missing.length === 0, 'nothing is missing', missing);
      page.step('lockkeeper doctor --stack Lockkeeper', `${found.checks.length} checks, all ok: ${found.checks.map((one) => one.check).join(', ')}`);
      github.misdirect();
      const misled = await ask(stackName);
      const [only, ...others] = misled.checks.filter(({ ok }) => !ok);
      check(misled.exit === 1 && only?.check === 'GitHub App webhook' && others.length === 0, 'an App that is sent elsewhere is seen', misled.checks);
      page.step('somebody changes the webhook’s address at GitHub', `missing, ${only.says}. ${only.remedy}`);
      const nowhere = await ask('Nowhere');
      check(nowhere.exit === 1 && nowhere.checks.length === 1, 'a stack that is not there is seen', nowhere.checks);
      page.step('lockkeeper doctor --stack Nowhere', `missing, ${nowhere.checks[0]?.says}`);
    } finally {
      await github.stop();
    }
  },
});

/** GitHub's answers about an App of the manifest, as docs.github.com/rest/apps gives them. */
async function appAnswers(webhookUrl: string) {
  let url = webhookUrl;
  const granted = { permissions: appPermissions, events: appEvents };
  const answers: Readonly<Record<string, () => unknown>> = {
    '/app': () => ({ id: 1_204_512, slug: 'lockkeeper', ...granted }),
    '/app/hook/config': () => ({ url, content_type: 'json', secret: '********', insecure_ssl: '0' }),
    '/app/installations': () => [{ id: 1, account: { login: 'acme' }, suspended_at: null, ...granted }],
  };
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://github').pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer?.() ?? { message: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misdirect: () => {
      url = 'https://elsewhere.example/hook';
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
