import { afterAll, beforeAll, expect, it } from 'vitest';
import { demo } from '../sim/seed.ts';
import { type ClockedCloud, openCloud } from './cloud.ts';
import { openHouse } from './house.ts';

let cloud: ClockedCloud;
beforeAll(async () => {
  cloud = await openCloud();
});
afterAll(() => cloud.stop());

const plan = `version: 1
providers:
  neon: { project: ${demo.neonProject} }
changes:
  - { id: db, adapter: neon, op: branch, name: feat }
`;

it('plays a pull request from its webhook to its removal, through the handlers and over HTTP', async () => {
  const house = openHouse(cloud);
  const { control } = house.sim;
  control.edit('github.push', { branch: 'feat', files: { 'release.plan.yaml': plan } });
  const { number } = control.edit('github.open', { branch: 'feat' });
  expect(await house.webhook(control.webhook('pull_request.opened', { number }))).toMatchObject({ status: 202 });
  await house.quiet();
  expect(house.runs().map((run) => [run.kind, run.outcome])).toEqual([['apply', 'complete']]);
  control.edit('github.close', { number });
  await house.webhook(control.webhook('pull_request.closed', { number }));
  await house.quiet();
  expect(house.runs().map((run) => [run.kind, run.outcome])).toEqual([
    ['apply', 'complete'],
    ['destroy', 'complete'],
  ]);
  expect(house.sim.writes({ provider: 'neon' }).map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

it('lets the time-out of a request come at once when the cloud leaves it hanging', async () => {
  const house = openHouse(cloud);
  const { control } = house.sim;
  control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hang: true });
  control.edit('github.push', { branch: 'feat', files: { 'release.plan.yaml': plan } });
  const { number } = control.edit('github.open', { branch: 'feat' });
  const before = house.clock.now();
  await house.webhook(control.webhook('pull_request.opened', { number }));
  await house.quiet();
  const [run] = house.runs();
  expect(house.report(run?.id ?? '')?.lines[0]?.problem?.code).toBe('PROVIDER_TIMEOUT');
  expect(house.clock.now() - before).toBeGreaterThanOrEqual(30_000);
});
