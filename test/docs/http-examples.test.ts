/** The plans that the reference page shows for `http` lines are played, from pull request to destroy. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { listItemExample, resourceExample } from '../../infra/reference/http-ops.ts';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { play } from '../scenarios/play.ts';
import { scenarioSchema } from '../scenarios/scenario.ts';

const planIn = (example: string): string => example.replaceAll(/^```.*$/gm, '');
const policy = { version: 1, environments: { preview: { http_hosts: ['api.hooks.example', 'api.login.example'] } } };

describe('the examples of docs/plan-format.md do what they say:', () => {
  let cloud: ClockedCloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.stop());

  it('http.resource', () =>
    play(
      cloud,
      scenarioSchema.parse({
        name: 'http.resource',
        rules: ['R1.117'],
        policy,
        plan: planIn(resourceExample),
        settings: { rest: { readyMs: 12_000 } },
        steps: [
          {
            open: 'feat',
            expect: {
              status: 'complete',
              rest: { '/api.hooks.example/v1/projects/storefront/webhooks/pr-1': { url: 'https://pr-1.example/hook', events: ['deploy', 'rollback'] } },
            },
          },
          { close: true, expect: { status: 'complete', rest: {} } },
        ],
      }),
    ));

  it('http.list_item', () =>
    play(
      cloud,
      scenarioSchema.parse({
        name: 'http.list_item',
        rules: ['R1.117'],
        policy,
        plan: planIn(listItemExample),
        world: [{ 'rest.put': { path: '/api.login.example/config/auth', body: { allowed_origins: ['https://main.example'] } } }],
        steps: [
          {
            open: 'feat',
            expect: { status: 'complete', rest: { '/api.login.example/config/auth': { allowed_origins: ['https://main.example', 'https://pr-1.example'] } } },
          },
          { close: true, expect: { status: 'complete', rest: { '/api.login.example/config/auth': { allowed_origins: ['https://main.example'] } } } },
        ],
      }),
    ));
});
