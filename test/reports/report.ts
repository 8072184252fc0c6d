import type { ShownChange } from '../../shared/engine/op.ts';
import type { LineReport, RunReport } from '../../shared/run/report.ts';

/** A report to start from: an apply of a pull request that created a database branch and set two variables. */
export function reportOf(changes: Partial<RunReport> = {}): RunReport {
  return {
    format: 1,
    run: '5d41402abc4b2a76b9719d911017c592',
    kind: 'apply',
    status: 'complete',
    round: 1,
    repository: { id: '1296269', owner: 'acme', name: 'storefront' },
    plan: { name: 'main', path: 'release.plan.yaml' },
    environment: 'preview',
    scope: 'pr-42',
    commit: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    pullRequest: 42,
    startedAt: '2026-03-01T09:30:00.000Z',
    finishedAt: '2026-03-01T09:30:02.000Z',
    lines: [],
    drift: [],
    warnings: [],
    notUndone: [],
    kept: [],
    managed: 0,
    ...changes,
  };
}

export function lineOf(id: string, changes: Partial<LineReport> = {}): LineReport {
  return { id, adapter: 'vercel', op: 'env', status: 'applied', changes: [], outputs: {}, ...changes };
}

export function changeOf(key: string, changes: Partial<ShownChange> = {}): ShownChange {
  return { key, kind: 'create', label: key, fields: [], ...changes };
}

/** The example that documentation and golden tests show. */
export const example: RunReport = reportOf({
  status: 'failed',
  managed: 1,
  lines: [
    lineOf('preview-db', {
      adapter: 'neon',
      op: 'branch',
      status: 'rolled_back',
      changes: [
        changeOf('branch:feat/checkout', { fields: [{ path: 'name', before: { state: 'absent' }, after: { state: 'literal', value: 'feat/checkout' } }] }),
      ],
    }),
    lineOf('database-url', {
      status: 'blocked',
      problem: { code: 'DRIFT_CHANGED', message: 'DATABASE_URL was edited outside since the last run.', hint: 'Run again with --reconcile.' },
      changes: [
        changeOf('env:preview:feat/checkout:DATABASE_URL', {
          kind: 'update',
          label: 'DATABASE_URL',
          fields: [
            { path: 'value', before: { state: 'sensitive' }, after: { state: 'sensitive', ref: 'preview-db.connection_uri' } },
            { path: 'comment', before: { state: 'literal', value: 'old' }, after: { state: 'pending', ref: 'deploy.url' } },
          ],
        }),
      ],
    }),
    lineOf('auth', { adapter: 'clerk', op: 'redirect_allow', status: 'skipped', waitingOn: 'database-url' }),
    lineOf('flags', { status: 'unchanged' }),
  ],
  drift: [
    {
      kind: 'changed',
      adapter: 'vercel',
      op: 'env',
      line: 'database-url',
      resource: { key: 'env:preview:feat/checkout:DATABASE_URL', label: 'DATABASE_URL' },
      message: 'edited by somebody',
    },
  ],
  warnings: [{ code: 'SECRET_SHORT', message: 'PIN has fewer than four characters.' }],
  notUndone: ['flags: FEATURE_X stays at "on"'],
});
