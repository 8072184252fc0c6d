/** The plans of the README and of the reference are planned, applied and removed, through the handlers, against the fake cloud. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionExample, listItemExample, resourceExample } from '../../infra/reference/http-ops.ts';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { play } from '../scenarios/play.ts';
import { scenarioSchema } from '../scenarios/scenario.ts';
import { fences } from './fences.ts';

const plans = fences.filter(({ info }) => info === 'yaml').map(({ page, body }, at) => ({ page, at: at + 1, body }));
/** Whatever waits for the deployment gets it. */
const usual = [
  { open: 'feat', expect: { status: 'partial' } },
  { deployment: 'READY', expect: { status: 'complete' } },
  { close: true, expect: { status: 'complete', managed: 0, neon: [], vercel: {}, clerk: [] } },
];

describe('a plan of the documentation does what it says:', () => {
  let cloud: ClockedCloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.stop());
  const playPlan = (name: string, plan: string, more: object = { steps: usual }) =>
    play(cloud, scenarioSchema.parse({ name: `The plan of ${name}`, rules: ['R1.117'], plan, ...more }));

  it.each(plans.filter(({ body }) => body.includes('clerk')))('$page, plan $at', ({ page, body }) => playPlan(page, body));

  it('leaves none of them out', () => {
    const played = plans.filter(
      ({ page, body }) =>
        body.includes('clerk') || page === 'docs/stacks.md' || [resourceExample, listItemExample, actionExample].some((one) => one.includes(body)),
    );
    expect(plans).toEqual(played);
  });

  it('docs/stacks.md', () => {
    const { body } = plans.find(({ page }) => page === 'docs/stacks.md') as { body: string };
    return playPlan('docs/stacks.md', body, {
      secrets: { QUEUE_TOKEN: 'queue-token-3c9a' },
      policy: { version: 1, environments: { preview: { stacks: {} } } },
      steps: [
        { stack: { key: 'infra/queue', live: {} } },
        { open: 'feat', expect: { status: 'complete', lines: { queue: 'applied', settings: 'applied' }, vercel: { 'QUEUE@preview/feat': 'orders-pr-1' } } },
        { close: true, expect: { status: 'complete', managed: 0, vercel: {} } },
      ],
    });
  });

  it('http.action', () =>
    playPlan('http.action', actionExample.replaceAll(/^```.*$/gm, ''), {
      secrets: { CDN_TOKEN: 'cdn-token-81d3' },
      policy: { version: 1, environments: { preview: { http_hosts: ['api.cdn.example'] } } },
      steps: [
        { open: 'feat', expect: { status: 'complete', lines: { purge: 'applied' }, writes: ['POST /**/zones/storefront/purges'] } },
        { close: true, expect: { status: 'complete', managed: 0 } },
      ],
    }));
});
