import { describe, expect, it } from 'vitest';
import { demo, openBench, recording } from './bench.fixture.ts';

console.log('No real pulumi is run here: a fake plays what Pulumi 3.259.0 was recorded to write.');

const bucket = (properties: object, options: object = {}) => ({ type: 'aws:s3/bucket:Bucket', properties, options });
const three = {
  resources: { a: bucket({ key: 'a', size: 1 }), 'b.v2': bucket({ key: 'b', of: '${a.id}' }), c: bucket({ key: 'c' }) },
  outputs: { url: '${a.id}', said: 'hello' },
};

describe('a stack of Pulumi', () => {
  it('is planned, updated under the plan that was saved, and then has nothing to do (R4.1, R4.2)', async () => {
    const bench = openBench();
    bench.program(three);
    const plan = await bench.plan();
    expect(plan.changes.map(({ address, actions }) => `${actions.join('+')} ${address}`)).toEqual([
      'create output.said',
      'create output.url',
      `create ${demo('a')}`,
      `create ${demo('b.v2')}`,
      `create ${demo('c')}`,
    ]);
    expect(plan).toMatchObject({
      version: '3.259.0',
      drift: [],
      outputs: { said: { value: 'hello', sensitive: false } },
      saved: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(plan.outputs).not.toHaveProperty('url');
    const applied = await bench.apply(plan);
    expect(applied).toMatchObject({ differs: [], resources: [demo('a'), demo('b.v2'), demo('c')], outputs: { url: { value: 'a-1', sensitive: false } } });
    expect(applied.changes).toEqual(plan.changes);
    expect(bench.calls.at(-4)).toBe('up --yes --json --non-interactive --color never --stack dev --plan');
    const again = await bench.plan();
    expect(again.changes).toEqual([]);
    expect(again.outputs).toEqual({ said: { value: 'hello', sensitive: false }, url: { value: 'a-1', sensitive: false } });
  });

  it('R4.4, R4.6: is not updated when a fresh preview says something else: what it says is told', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.program({ ...three, resources: { ...three.resources, a: bucket({ key: 'a', size: 2 }) } });
    const plan = await bench.plan();
    bench.program({ ...three, resources: { ...three.resources, a: bucket({ key: 'a', size: 3 }) } });
    const failed = await bench.failure(bench.apply(plan));
    expect(failed).toMatchObject({ cause: 'state-moved', planned: { changes: [{ address: demo('a'), actions: ['update'], paths: ['size'] }] } });
    expect(bench.calls.filter((call) => call.startsWith('up'))).toHaveLength(1);
    expect(bench.backend().world()).toMatchObject({ a: { size: 1 } });
  });

  it('R4.13: sees a value that moved in what is recorded, though the same is to be done', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.program({ ...three, resources: { ...three.resources, a: bucket({ key: 'a', size: 2 }) } });
    const plan = await bench.plan();
    const state = bench.backend().read('dev');
    if (state === undefined) throw new Error('there is no stack');
    const resources = state.resources.map((one) => (one.urn === demo('a') ? { ...one, outputs: { ...one.outputs, extra: 'moved' } } : one));
    bench.backend().write('dev', { ...state, resources });
    expect(await bench.failure(bench.apply(plan))).toMatchObject({ cause: 'state-moved' });
  });

  it('I1: is refused by its saved plan when a secret was rotated, before anything is written; no value of either is told', async () => {
    const bench = openBench();
    const resources = { first: bucket({ key: 'first', size: 1 }), secretive: bucket({ key: 's', password: '${config.password}' }) };
    bench.program({ resources });
    const secrets = (password: string) => ({ variables: { password }, secretVariables: ['password'] });
    const plan = await bench.plan(secrets('CANARY-rotated-1'));
    const failed = await bench.failure(bench.apply(plan, secrets('CANARY-rotated-2')));
    expect(failed).toEqual({
      did: 'failed',
      cause: 'state-moved',
      message: 'Pulumi refuses the saved plan: it no longer fits. Nothing was applied.',
      diagnostics: [{ severity: 'error', kind: 'violates-plan', address: demo('secretive'), path: 'password' }],
    });
    expect(bench.backend().world()).toEqual({});
    expect(JSON.stringify([plan.changes, failed])).not.toContain('CANARY');
    expect(bench.words()).toContain('violates plan');
    expect(bench.words()).not.toContain('CANARY-rotated-2');
  });

  it('R2.15: drift is told beside the plan, right after it, without a value, and no plan puts it back by itself', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.edit('a', { size: 7 });
    bench.edit('c', undefined);
    bench.calls.length = 0;
    const plan = await bench.plan({ drift: true });
    expect(plan.changes).toEqual([]);
    expect(plan.drift.map(({ status, address }) => `${status} ${address}`).sort()).toEqual([
      `drifted ${demo('a')}`,
      `in-sync ${demo('b.v2')}`,
      `missing ${demo('c')}`,
    ]);
    expect(plan.drift[0]).toMatchObject({ engine: 'pulumi', read: 'refresh', member: 'infra#dev', observedAt: expect.any(String) });
    expect(JSON.stringify(plan.drift)).not.toContain('7,');
    expect(bench.calls.slice(2, 4)).toEqual([
      'preview --json --non-interactive --color never --stack dev --save-plan',
      'refresh --preview-only --json --non-interactive --color never --stack dev',
    ]);
  });

  it('R2.24: a repair looks at what is live only where the fresh check has found drift', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    const clean = await bench.plan({ drift: true, refresh: true });
    expect(clean.changes).toEqual([]);
    expect(bench.calls.some((call) => call.includes('--refresh'))).toBe(false);
    bench.edit('a', { size: 7 });
    bench.edit('c', undefined);
    const plan = await bench.plan({ drift: true, refresh: true });
    expect(plan.changes.map(({ address, actions, paths }) => `${actions.join('+')} ${address} ${paths.join()}`)).toEqual([
      `update ${demo('a')} size`,
      `create ${demo('c')} `,
    ]);
    bench.calls.length = 0;
    expect(await bench.apply(plan, { drift: true, refresh: true })).toMatchObject({ differs: [] });
    expect(bench.calls.find((call) => call.startsWith('up'))).toContain('--plan --refresh');
    expect(bench.backend().world()).toMatchObject({ a: { size: 1 }, c: { key: 'c' } });
    const gone = await bench.failure(bench.apply(plan, { drift: true, refresh: true }));
    expect(gone).toMatchObject({ cause: 'state-moved', planned: { changes: [] } });
  });

  it('whose repair cannot be previewed tells the drift all the same', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.edit('c', undefined);
    bench.mischief({ fails: { 'refresh:c': 'CANARY-in-an-error' } });
    expect(await bench.failure(bench.plan({ drift: true, refresh: true }))).toMatchObject({
      cause: 'plan-failed',
      drift: [{ status: 'in-sync' }, { status: 'in-sync' }, { status: 'missing', address: demo('c') }],
    });
  });

  it('R3.22: a resource that cannot be read holds back only itself', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.edit('c', { key: 'other' });
    bench.mischief({ unreadable: ['a'], unreached: ['b.v2', 'c'] });
    const { drift } = await bench.plan({ drift: true });
    expect(Object.fromEntries(drift.map(({ address, status, unobserved }) => [address, unobserved?.reason ?? status]))).toEqual({
      [demo('a')]: 'read-failed',
      [demo('b.v2')]: 'in-sync',
      [demo('c')]: 'drifted',
    });
    expect(bench.calls.filter((call) => call.includes('--target'))).toHaveLength(2);
  });

  it.each([
    ['R2.13: a stream with holes', { stdout: recording('refresh-drift.ndjson').replace(/^.*"sequence":13.*\n/m, ''), exit: 0 }],
    ['R2.13: a stream without a summary', { stdout: recording('refresh-clean.ndjson').replace(/^.*summaryEvent.*\n/m, ''), exit: 0 }],
    ['a stream of something else', { stdout: recording('preview-replace.ndjson'), exit: 0 }],
    ['a document', { stdout: recording('refresh-drift.json'), exit: 0 }],
  ])('R2.10, R2.22: %s says nothing of what is live: the look has failed, and what is recorded is told as that', async (_, refresh) => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.mischief({ plays: { refresh } });
    for (const more of [{ drift: true }, { drift: true, refresh: true }, { drift: true, lock: false }] as const) {
      const failed = await bench.failure(bench.plan(more));
      expect(failed).toMatchObject({ cause: 'plan-failed', message: 'What is live could not be read.', planned: { changes: [] } });
      expect(failed.drift?.map(({ status, read, fellBackFrom }) => [status, read, fellBackFrom])).toEqual(Array(3).fill(['recorded', 'state', 'refresh']));
    }
  });

  it('R2.9, R3.23: where the preview fails nothing is looked at, and what is recorded is told as that', async () => {
    const bench = openBench();
    bench.program(three);
    await bench.upAtOnce();
    bench.mischief({ fails: { 'preview:b.v2': 'CANARY-in-an-error' } });
    bench.calls.length = 0;
    const failed = await bench.failure(bench.plan({ drift: true }));
    expect(failed).toMatchObject({
      cause: 'plan-failed',
      message: 'pulumi preview failed.',
      diagnostics: [{ severity: 'error', kind: 'failed', address: demo('b.v2') }],
    });
    expect(failed.drift?.map(({ status }) => status)).toEqual(['recorded', 'recorded', 'recorded']);
    expect(bench.calls.some((call) => call.startsWith('refresh'))).toBe(false);
    expect(JSON.stringify(failed)).not.toContain('CANARY');
  });

  it('keeps the order in which Pulumi replaces, which the saved plan is updated in', async () => {
    const bench = openBench();
    const program = (key: string) => ({ resources: { a: bucket({ key }), b: bucket({ key }, { deleteBeforeReplace: true }) } });
    bench.program(program('1'));
    await bench.upAtOnce();
    bench.program(program('2'));
    const plan = await bench.plan();
    expect(plan.changes).toMatchObject([
      { address: demo('a'), actions: ['create', 'delete'], paths: ['key'], replacePaths: ['key'] },
      { address: demo('b'), actions: ['delete', 'create'] },
    ]);
    expect(await bench.apply(plan)).toMatchObject({ differs: [], changes: plan.changes });
    expect(bench.backend().world()).toEqual({ a: { key: '2' }, b: { key: '2' } });
  });

  it('I7: is told loudly where an update did something else than was approved', async () => {
    const bench = openBench();
    bench.program(three);
    const plan = await bench.plan();
    const up = recording('up.json')
      .replaceAll('drift-demo', 'shop')
      .replace(/^\{[\s\S]*?^\}\n/m, '');
    bench.mischief({ plays: { up: { stdout: up, exit: 0 } } });
    const applied = await bench.apply(plan);
    expect(applied.differs).toEqual([demo('secretive', 'pulumi-nodejs:dynamic:Obj')]);
    expect(applied.changes.filter(({ type }) => type !== 'output')).toEqual([]);
  });

  it('is destroyed as its preview said, compared right before: Pulumi saves no plan of it', async () => {
    const bench = openBench();
    bench.program({ ...three, resources: { ...three.resources, kept: bucket({ key: 'k' }, { retainOnDelete: true }) } });
    await bench.upAtOnce();
    const plan = await bench.plan({ destroys: true });
    expect(plan.saved).toBeUndefined();
    expect(plan.changes.map(({ address, actions }) => `${actions.join('+')} ${address}`)).toEqual([
      'delete output.said',
      'delete output.url',
      `delete ${demo('a')}`,
      `delete ${demo('b.v2')}`,
      `delete ${demo('c')}`,
      `forget ${demo('kept')}`,
    ]);
    const moved = { ...plan, changes: plan.changes.filter(({ address }) => address !== demo('c')) };
    expect(await bench.failure(bench.apply(moved, { destroys: true }))).toMatchObject({ cause: 'state-moved' });
    expect(await bench.apply(plan, { destroys: true })).toMatchObject({ differs: [], resources: [], outputs: {} });
    expect(bench.backend().world()).toEqual({ kept: { key: 'k' } });
  });

  it('that broke off half way says what is done and what is not, read back from the state', async () => {
    const bench = openBench();
    bench.program(three);
    bench.mischief({ fails: { 'create:b.v2': 'CANARY-in-an-error' } });
    const failed = await bench.failure(bench.upAtOnce());
    expect(failed).toEqual({
      did: 'failed',
      cause: 'apply-failed',
      message: 'pulumi up failed.',
      diagnostics: [{ severity: 'error', kind: 'failed', address: demo('b.v2') }],
      done: [demo('a')],
      notDone: [demo('b.v2'), demo('c')],
    });
  });

  it('whose time was up in the middle of an update says what is done', async () => {
    const bench = openBench();
    bench.program(three);
    bench.mischief({ hangs: 'create:c' });
    expect(await bench.failure(bench.upAtOnce())).toMatchObject({ cause: 'timed-out', done: [demo('a'), demo('b.v2')], notDone: [demo('c')] });
  });

  it('that its plan refused half way has not simply moved: something was written', async () => {
    const bench = openBench();
    bench.program(three);
    const plan = await bench.plan();
    const begun = { resourcePreEvent: { metadata: { op: 'create', urn: demo('a'), old: null, new: { urn: demo('a') } } } };
    const refusal = {
      diagnosticEvent: { urn: demo('b.v2'), message: `resource ${demo('b.v2')} violates plan: properties changed: ~~of[{1}!={2}]`, severity: 'error' },
    };
    bench.mischief({ plays: { up: { stdout: [begun, refusal].map((one) => `${JSON.stringify(one)}\n`).join(''), exit: 255 } } });
    expect(await bench.failure(bench.apply(plan))).toMatchObject({
      cause: 'apply-failed',
      diagnostics: [{ kind: 'violates-plan' }],
      done: [],
      notDone: [demo('a'), demo('b.v2'), demo('c')],
    });
  });

  it('whose process died in the middle of a step counts that step as not done', async () => {
    const bench = openBench();
    bench.program(three);
    bench.mischief({ dies: 'create:b.v2' });
    expect(await bench.failure(bench.upAtOnce())).toMatchObject({
      cause: 'apply-failed',
      message: 'pulumi up was killed.',
      done: [demo('a')],
      notDone: [demo('b.v2'), demo('c')],
    });
  });

  it('R2.13: an update whose summary counts more than its events is not gone by: the state says what it did', async () => {
    const bench = openBench();
    bench.program(three);
    bench.mischief({ omits: 'b.v2' });
    expect(await bench.failure(bench.upAtOnce())).toMatchObject({ cause: 'not-understood', done: [demo('a'), demo('b.v2'), demo('c')], notDone: [] });
  });

  it('that somebody else is at is busy, with who and since when', async () => {
    const bench = openBench();
    bench.program(three);
    const plan = await bench.plan();
    bench.mischief({ locked: 'file:///x/.pulumi/locks/organization/shop/dev/1f0a.json: created by ada@laptop (pid 7) at 2026-11-30T20:00:00Z' });
    expect(await bench.failure(bench.apply(plan))).toMatchObject({ cause: 'busy', lock: { who: 'ada@laptop', since: '2026-11-30T20:00:00.000Z', id: '1f0a' } });
    bench.mischief({ plays: { up: { stderr: 'error: [409] Conflict: Another update is currently in progress.\n', exit: 255 } } });
    expect(await bench.failure(bench.apply(plan))).toMatchObject({ cause: 'busy', lock: {} });
  });

  it('of a release that saves no plans is updated under a fresh preview alone, and its plan says so', async () => {
    const bench = openBench();
    bench.program(three);
    bench.mischief({ unknownFlags: ['--save-plan'] });
    const plan = await bench.plan();
    expect(plan.saved).toBeUndefined();
    expect(await bench.apply(plan)).toMatchObject({ differs: [] });
    expect(bench.calls.find((call) => call.startsWith('up'))).not.toContain('--plan');
  });

  it.each([
    ['up-violates-plan.json', 'violates-plan'],
    ['up-plan-already-applied.json', 'expected-change-not-seen'],
    ['up-secret-moved.json', 'violates-plan'],
  ])('R4.3: refused as recorded in %s has moved', async (name, kind) => {
    const bench = openBench();
    bench.program(three);
    const plan = await bench.plan();
    bench.mischief({ plays: { up: { stdout: recording(name), exit: 1 } } });
    const failed = await bench.failure(bench.apply(plan));
    expect(failed).toMatchObject({ cause: 'state-moved', diagnostics: [{ kind }] });
    expect(JSON.stringify(failed)).not.toContain('CANARY');
  });

  it.each([
    ['no project', {}, {}, { cause: 'source-unusable' }],
    ['a stack that is not there', { root: { path: 'infra', stack: 'nope', varFiles: [] } }, {}, { cause: 'plan-failed', diagnostics: [{ kind: 'no-stack' }] }],
    ['a stack that no line names', { root: { path: 'infra', varFiles: [] } }, {}, { cause: 'source-unusable' }],
    ['another passphrase', {}, { passphrase: 'x' }, { cause: 'plan-failed', diagnostics: [{ kind: 'wrong-passphrase' }] }],
    ['no backend', { environment: {} }, {}, { cause: 'init-failed', diagnostics: [{ kind: 'not-logged-in' }] }],
    ['a version that is too old', {}, { version: '3.228.9' }, { cause: 'tool-too-old', message: 'pulumi has to be 3.229.0 or newer, and there is 3.228.9.' }],
    ['another version than the line pins', { version: '3.259.1' }, {}, { cause: 'wrong-version' }],
    ['a preview that is not JSON', {}, { plays: { preview: { stdout: 'Previewing update (dev)\n', exit: 0 } } }, { cause: 'not-understood' }],
    [
      'a preview that was cut',
      {},
      { plays: { preview: { stdout: recording('preview-replace.ndjson').slice(0, 20_000), exit: 0 } } },
      { cause: 'not-understood' },
    ],
    [
      'an operation that is not known',
      {},
      { plays: { preview: { stdout: recording('preview-replace.ndjson').replaceAll('"op":"update"', '"op":"transmute"'), exit: 0 } } },
      { cause: 'not-understood' },
    ],
    ['packages that cannot be installed', {}, { plays: { install: { stderr: 'error: no such package', exit: 255 } } }, { cause: 'init-failed' }],
  ] as const)('with %s fails as that', async (what, more, mischief, expected) => {
    const bench = openBench();
    if (what !== 'no project') bench.program(three);
    bench.mischief(mischief);
    expect(await bench.failure(bench.plan(more))).toMatchObject(expected);
  });

  it('I1: a former secret that a refusal prints in clear is not in the words either: the state knows it', async () => {
    const bench = openBench();
    const program = (size: number) => bench.program({ resources: { s: bucket({ size, password: '${config.password}' }) } });
    const secrets = (password: string) => ({ variables: { password }, secretVariables: ['password'] });
    program(1);
    await bench.upAtOnce(secrets('CANARY-rotated-1'));
    program(2);
    const plan = await bench.plan(secrets('CANARY-rotated-1'));
    const failed = await bench.failure(bench.apply(plan, secrets('CANARY-rotated-2')));
    expect(failed).toMatchObject({ cause: 'state-moved', diagnostics: [{ kind: 'violates-plan', path: 'password' }] });
    expect(bench.words()).toContain('violates plan: properties changed');
    expect(bench.words()).not.toContain('CANARY');
  });

  it('I1: secrets of environment, configuration and state are in no word of a failure', async () => {
    const bench = openBench();
    bench.program({ resources: { a: bucket({ password: { 'fn::secret': 'CANARY-state' }, token: '${config.token}' }) } });
    const given = { variables: { token: 'CANARY-config' }, secretVariables: ['token'], mask: ['CANARY-environment'] };
    await bench.upAtOnce(given);
    bench.program({ resources: { a: bucket({ password: { 'fn::secret': 'CANARY-state' }, token: '${config.token}', size: 1 }) } });
    bench.mischief({ fails: { 'update:a': 'PUT with CANARY-state, CANARY-config and CANARY-environment was refused' } });
    const failed = await bench.failure(bench.upAtOnce(given));
    expect(bench.words()).toContain('was refused');
    expect(`${bench.words()} ${JSON.stringify(failed)}`).not.toContain('CANARY');
  });

  it('gives each value of the configuration as it is, line breaks included', async () => {
    const bench = openBench();
    bench.program({ resources: {}, outputs: { text: '${config.text}' } });
    expect((await bench.plan({ variables: { text: 'two\nlines\n' } })).outputs).toEqual({ text: { value: 'two\nlines\n', sensitive: false } });
  });

  it('I1: gives configuration by standard input, never by an argument, and hands on sensitive outputs as that', async () => {
    const bench = openBench();
    bench.program({
      resources: { a: bucket({ key: 'a', password: '${config.aws:password}', size: '${config.size}' }) },
      outputs: { password: '${config.aws:password}', list: [1, 2], size: '${config.size}' },
    });
    const given = { variables: { 'aws:password': 'CANARY-config', size: 5 }, secretVariables: ['aws:password'] };
    const plan = await bench.plan(given);
    expect(bench.calls.slice(2, 4)).toEqual([
      'config set --non-interactive --color never --stack dev --secret -- aws:password',
      'config set --non-interactive --color never --stack dev --plaintext -- size',
    ]);
    expect(plan.outputs).toEqual({ list: { value: '[1,2]', sensitive: false }, size: { value: '5', sensitive: false } });
    const applied = await bench.apply(plan, given);
    expect(applied.outputs).toEqual({
      password: { value: 'CANARY-config', sensitive: true },
      list: { value: '[1,2]', sensitive: false },
      size: { value: '5', sensitive: false },
    });
    expect(JSON.stringify([bench.calls, plan.changes, applied.changes])).not.toContain('CANARY');
  });
});
