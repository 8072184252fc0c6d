import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { context, resolve } from '../../../test/contract/op-contract.ts';
import { simWorld } from '../../../test/contract/sim-world.ts';
import { demo } from '../../../test/sim/seed.ts';
import type { OpCall } from '../../engine/op.ts';
import { redirectAllow } from './redirect-allow.ts';

const url = 'https://pr-7.acme.example/sso-callback';

let world: Awaited<ReturnType<typeof simWorld>>;
let call: OpCall;
beforeEach(async () => {
  world = await simWorld(redirectAllow, {});
  call = { ...world.call, identity: await redirectAllow.identity(world.call) };
});
afterEach(() => world.stop());

async function inspect(wanted = url) {
  const params = resolve({ url: wanted });
  const reading = await redirectAllow.read(params, call);
  return { params, reading, changes: redirectAllow.diff(params, reading, context) };
}

const urls = () => world.sim.state().clerk.redirects.map((found) => found.url);

describe('clerk.redirect_allow', () => {
  it('tells Clerk instances apart by Clerk’s own id, not by the key', () => {
    expect(call.identity).toEqual({ instance: demo.clerkInstance });
  });

  it('puts the URL on the list and gives the entry’s id', async () => {
    const { params, reading, changes } = await inspect();
    const applied = await redirectAllow.apply(params, reading, changes, call);
    expect(urls()).toContain(url);
    expect(applied).toMatchObject({
      done: true,
      created: [`redirect:${url}`],
      outputs: { id: world.sim.state().clerk.redirects.find((found) => found.url === url)?.id },
    });
  });

  it('leaves a URL alone that is there', async () => {
    expect((await inspect(demo.clerkRedirect)).changes).toMatchObject([{ kind: 'unchanged' }]);
  });

  it.each([true, false])('finds a URL on a later page (counted answers: %s)', async (envelope) => {
    for (const n of [1, 2, 3, 4]) world.sim.control.edit('clerk.add', { url: `https://${n}.acme.example/` });
    world.sim.control.set({ clerk: { pageSize: 2, envelope } });
    expect((await inspect(demo.clerkRedirect)).changes).toMatchObject([{ kind: 'unchanged' }]);
  });

  it('says "exists" for a URL that came in between, whatever Clerk calls it', async () => {
    const { params, reading, changes } = await inspect();
    world.sim.control.edit('clerk.add', { url });
    world.sim.control.rule({ provider: 'clerk', fail: { status: 400, code: 'form_param_invalid', message: 'no' } });
    await expect(redirectAllow.apply(params, reading, changes, call)).rejects.toMatchObject({
      problem: { code: 'PROVIDER_CONFLICT', details: { exists: true } },
    });
  });

  it('passes a plain refusal on', async () => {
    const { params, reading, changes } = await inspect('not a url');
    await expect(redirectAllow.apply(params, reading, changes, call)).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  it('deletes by id alone: the same URL put on the list anew stays', async () => {
    const { params, reading, changes } = await inspect();
    const applied = await redirectAllow.apply(params, reading, changes, call);
    if (!applied.done || applied.resources[0] === undefined) throw new Error('nothing was made');
    world.sim.control.edit('clerk.recreate', { url });
    await redirectAllow.destroy(applied.resources[0], call);
    expect(urls()).toContain(url);
  });

  it('lists the whole list', async () => {
    expect((await redirectAllow.list?.({}, call))?.map((found) => found.key)).toEqual([`redirect:${demo.clerkRedirect}`]);
  });
});
