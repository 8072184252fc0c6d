import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Person } from '../../shared/approvals/decision.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { freeze } from '../../shared/freeze/freeze.ts';
import type { CodeHost, Permission } from '../../shared/ports/code-host.ts';
import type { Run } from '../../shared/run/items.ts';
import { askedRun, principalOf, putPolicy, wake, writeAnswer } from '../ports/people.ts';
import { commitOf, openWorkbench, repository, type Workbench } from '../ports/workbench.ts';

const roles = z.record(z.string(), z.enum(['admin', 'maintain', 'write', 'triage', 'read', 'none']));
const github = z.strictObject({
  roles: roles.optional(),
  bots: z.array(z.string()).optional(),
  teams: z.record(z.string(), z.array(z.string())).optional(),
});
/** A person by their login, or `team organization/slug`; the rest as it stands in the file. */
const block = z.looseObject({ approvers: z.array(z.string()).optional() });
const given = z.strictObject({
  by: z.string(),
  through: z.enum(['aws', 'github', 'slack', 'machine']).default('aws'),
  verdict: z.enum(['approve', 'reject']).default('approve'),
  /** The AWS principal or Slack member it comes from, where that is not the person's own. */
  as: z.string().optional(),
  /** What changes at GitHub before it is judged. */
  meanwhile: github.optional(),
  /** What GitHub does not answer. */
  down: z.enum(['permission', 'isPerson', 'inTeam', 'authorsOf']).optional(),
});
const row = z.strictObject({
  row: z.string(),
  stack: z.enum(['deployed', 'embedded']).default('deployed'),
  production: block.default({}),
  others: z.record(z.string(), block).default({}),
  run: z
    .strictObject({
      author: z.array(z.string()).default(['eve']),
      by: z.string().optional(),
      environment: z.string().default('production'),
      writes: z.string().optional(),
    })
    .prefault({}),
  github: github.default({}),
  before: z.enum(['expired', 'frozen', 'superseded', 'broken']).optional(),
  answers: z.array(z.union([z.string().transform((by) => given.parse({ by })), given])),
  is: z.enum(['complete', 'asked', 'rejected', 'expired', 'superseded']),
  refused: z.record(z.string(), z.string()).default({}),
  approved: z.array(z.string()).default([]),
});
type Row = z.output<typeof row>;

const table = z.array(row).parse(parse(readFileSync(new URL('table.yaml', import.meta.url), 'utf8')));

const usual: Readonly<Record<string, Permission>> = { ada: 'admin', kim: 'admin', mona: 'maintain', bob: 'write', eve: 'read', 'deploy-bot': 'write' };
const everybody = ['ada', 'bob', 'eve', 'kim', 'mona'];

const memberOf = (login: string): string => `U0${login.toUpperCase().replaceAll(/[^A-Z0-9]/g, '0')}00000`;

const approver = (name: string) =>
  name.startsWith('team ') ? { team: name.slice('team '.length) } : { github: name, aws: principalOf(name.toLowerCase()), slack: memberOf(name) };
const written = ({ approvers, ...rest }: Row['production']) => ({ ...rest, ...(approvers && { approvers: approvers.map(approver) }) });

/** The policy of a row. An environment nobody uses maps everybody: who may decide says the environment, who somebody is says the file. */
function policyOf({ production, others }: Row): string {
  const environments = Object.fromEntries(Object.entries({ production, ...others }).map(([name, said]) => [name, written(said)]));
  return JSON.stringify({ version: 1, environments: { nowhere: { approvers: everybody.map(approver) }, ...environments } });
}

function atGithub({ code }: Workbench, { roles: now = {}, bots = [], teams = {} }: z.output<typeof github>): void {
  for (const [login, role] of Object.entries(now)) code.people.set(login, role);
  for (const login of bots) code.bots.add(login);
  for (const [team, members] of Object.entries(teams)) code.teams.set(team, members);
}

async function befall(bench: Workbench, run: Run, what: Row['before']): Promise<void> {
  const by = { name: 'mona', through: 'github' } as const;
  const at = new Date(bench.clock.now()).toISOString();
  if (what === 'frozen')
    await freeze({ table: bench.memory.table, ids: bench.world().ids }, repository.id, 'production', { by, start: 'word', at }, '1h', 'year end');
  if (what === 'broken') putPolicy(bench, '{ version: 1, environments: [');
  if (what === 'expired') bench.clock.advance((run.question?.expiresAt ?? 0) - bench.clock.now() + 1);
  if (what === 'superseded') bench.clock.advance(1000);
  if (what === 'superseded') await askedRun(bench, [{ id: 'a', things: { x: '2' } }], 'two', { environment: run.environment, scope: run.scope });
}

function personOf({ by, through, as }: z.output<typeof given>): Person {
  if (through === 'aws') return { name: by, through, principal: as ?? principalOf(by.toLowerCase()) };
  return through === 'slack' ? { name: by, through, principal: as ?? memberOf(by) } : { name: by, through };
}

/** Gives the answers one after the other, each judged before the next, and says how the run then stands. */
async function play(bench: Workbench, run: Run, answers: Row['answers']): Promise<Run> {
  for (const one of answers) {
    await writeAnswer(bench, run, one.verdict, personOf(one));
    atGithub(bench, one.meanwhile ?? {});
    const silent = (question: keyof CodeHost) => {
      if (question === one.down) throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'GitHub does not answer' });
    };
    bench.code.onAsk = one.down ? silent : undefined;
    await wake(bench, run);
    await bench.quiet();
  }
  return bench.run(run.id);
}

describe('the decision table', () => {
  test('has forty rows and more, each with a name of its own', () => {
    expect(table.length).toBeGreaterThanOrEqual(40);
    expect(new Set(table.map(({ row: name }) => name)).size).toBe(table.length);
  });

  test.each(table.map((one) => [one.row, one] as const))('%s', async (_name, one) => {
    const bench = openWorkbench(one.stack);
    putPolicy(bench, policyOf(one));
    atGithub(bench, { roles: usual });
    atGithub(bench, one.github);
    bench.code.authors.set(commitOf('one'), one.run.author);
    const { environment, writes, by } = one.run;
    const changes = [{ id: 'a', things: { x: '1' }, ...(writes && { environment: writes }) }];
    const scope = environment === 'production' ? 'main' : 'branch-x';
    const asked = await askedRun(bench, changes, 'one', { environment, scope, ...(by && { triggeredBy: by }) });
    expect(asked.phase).toBe('awaiting');
    await befall(bench, asked, one.before);

    const stands = await play(bench, asked, one.answers);

    expect(stands.phase === 'awaiting' ? 'asked' : stands.outcome).toBe(one.is);
    expect(bench.provider.writes).toHaveLength(one.is === 'complete' ? 1 : 0);
    expect(stands.approvals?.by ?? []).toEqual(one.is === 'asked' && one.before === undefined ? one.approved : (stands.approvals?.by ?? []));
    const told = bench.logged.filter(({ message }) => message === 'a decision does not count').map(({ fields = {} }) => [fields['person'], fields['code']]);
    expect(Object.fromEntries(told)).toEqual(one.refused);
  });
});
