import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shortTiming } from '../../infra/timing.ts';
import { type Caller, caller } from './cli-caller.ts';
import { type CliPackage, packCli } from './cli-package.ts';
import { type Asked, apply, ask, listedRuns, planOf, variables } from './production.ts';

let cli: CliPackage;
let me: Caller;
beforeAll(async () => {
  cli = await packCli(shortTiming);
});
afterEach(() => me.remove());

/** A plan in a folder of its own, put to people. */
function asked(): Promise<Asked> {
  me = caller(cli.main);
  me.plan(planOf('live'));
  return ask(me);
}

describe('a process that ends', () => {
  it('while its run is planned leaves it to the next command, which parks it; one question is open in the end', async () => {
    me = caller(cli.main);
    me.plan(planOf('live'));
    const killed = me.start(...apply);
    await killed.says(/Preparing|Planning/);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const { run } = await ask(me);
    const { questions, runs } = await listedRuns(me);
    expect(questions).toMatchObject([{ run }]);
    expect(runs.filter(({ status }) => status === 'awaiting')).toMatchObject([{ run }]);
  });

  it.each([/At its question/, /Comparing with what was approved|Applying/, /Finishing/])(
    'by kill -9 at %s, after the approval: the next one ends it right, with one question, one apply and one receipt',
    async (moment) => {
      const { run, digest } = await asked();
      const killed = me.start('approve', digest, '--sim');
      await killed.says(moment).catch(() => undefined); // a phase too short to be seen has passed: then the command has ended
      killed.child.kill('SIGKILL');
      await killed.ended;
      const approved = await me.json('approve', digest, '--sim');
      expect(approved).toMatchObject({ exit: 0, document: { receipt: { run, status: 'complete', decisions: [{ verdict: 'approve' }] } } });
      const { questions, runs } = await listedRuns(me);
      expect({ questions, runs }).toMatchObject({ questions: [], runs: [{ run, status: 'complete' }] });
      expect(await me.json('receipt', '--sim', '--env', 'production')).toMatchObject({ document: { receipt: { run }, chain: { links: 1, holds: true } } });
      expect(variables(me)).toEqual(['DATABASE_URL', 'PAYMENT', 'MODE']);
    },
  );

  it('by Ctrl-C after the approval says which run stays where it is; approved again, it goes on', async () => {
    const { run, digest } = await asked();
    const stopped = me.start('approve', digest, '--sim');
    await stopped.says(/At its question|Comparing|Applying/);
    stopped.child.kill('SIGINT');
    const { exit, stderr } = await stopped.ended;
    expect([0, 130]).toContain(exit);
    if (exit === 130) expect(stderr).toContain(`run ${run} stays where it is`);
    expect(await me.json('approve', digest, '--sim')).toMatchObject({ exit: 0, document: { receipt: { run, status: 'complete' } } });
  });
});
