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

/** `lockkeeper doctor` looks at what was deployed; of GitHub it is told what the fake cloud tells of its App. */
export const doctor = (endpoint: Endpoint): Chapter => ({
  name: 'doctor',
  title: 'The doctor is asked',
  after: [],
  async tell(world, page) {
    const webhookUrl = String(world.house.stack.outputs['WebhookUrl']);
    const { sim } = world.house;
    const sendTo = (url: string) => sim.control.edit('github.hook', { url });
    const ask = async (stack: string) => {
      const { exit, stdout, stderr } = await lockkeeper(endpoint, ['doctor', '--stack', stack, '--json'], { GITHUB_API_URL: sim.urls.github });
      check(stdout.startsWith('{'), 'doctor answers with a document', stderr);
      check(!Object.values(canaries).some((secret) => stdout.includes(secret)), 'no secret is in it');
      return { exit, ...(JSON.parse(stdout) as Document) };
    };
    sendTo(webhookUrl);
    const found = await ask(stackName);
    const missing = found.checks.filter(({ ok }) => !ok);
    check(found.exit === 0 && found.ok && missing.length === 0, 'nothing is missing', missing);
    page.step('lockkeeper doctor --stack Lockkeeper', `${found.checks.length} checks, all ok: ${found.checks.map((one) => one.check).join(', ')}`);
    sendTo('https://elsewhere.example/hook');
    const misled = await ask(stackName);
    const [only, ...others] = misled.checks.filter(({ ok }) => !ok);
    check(misled.exit === 1 && only?.check === 'GitHub App webhook' && others.length === 0, 'an App that is sent elsewhere is seen', misled.checks);
    page.step('somebody changes the webhook’s address at GitHub', `missing, ${only.says}. ${only.remedy}`);
    const nowhere = await ask('Nowhere');
    check(nowhere.exit === 1 && nowhere.checks.length === 1, 'a stack that is not there is seen', nowhere.checks);
    page.step('lockkeeper doctor --stack Nowhere', `missing, ${nowhere.checks[0]?.says}`);
  },
});
