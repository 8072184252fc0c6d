import { describe, expect, it } from 'vitest';
import { changeOf, lineOf, reportOf } from '../../test/reports/report.ts';
import type { LineStatus, RunKind, RunReport, RunStatus } from '../run/report.ts';
import { outcomeOf } from './outcome.ts';

const withLines = (...statuses: LineStatus[]): Partial<RunReport> => ({ lines: statuses.map((status, at) => lineOf(`line-${at}`, { status })) });
/** A plan's lines, each with what it would do to its resources; the first of them names its status. */
const withChanges = (...lines: ('create' | 'update' | 'unchanged' | 'delete')[][]) => ({
  lines: lines.map((kinds, at) =>
    lineOf(`line-${at}`, {
      status: kinds.includes('create') ? 'create' : (kinds[0] as LineStatus),
      changes: kinds.map((kind, nth) => changeOf(`${at}-${nth}`, { kind })),
    }),
  ),
});
const gone = (id: string) => lineOf(id, { status: 'destroyed', notes: { destroyed: 'thing x' } });
const failing = lineOf('db', { status: 'failed', problem: { code: 'PROVIDER_INVALID', message: 'no' } });

describe('what the end of a run is called', () => {
  it.each<[Partial<RunReport>, string]>([
    [{ kind: 'plan', ...withChanges(['create', 'create', 'update', 'unchanged']) }, 'Would update 1, create 2, leave 1'],
    [{ kind: 'plan', lines: [...withChanges(['create']).lines, lineOf('b', { status: 'pending' })] }, 'Would create 1, 1 line pending'],
    [{ kind: 'plan', ...withLines('pending', 'unchanged') }, '1 line pending'],
    [{ kind: 'plan', lines: [lineOf('a', { status: 'todo' })] }, 'Would leave 1 to a person'],
    [{ status: 'awaiting', ...withChanges(['update', 'create'], ['create']) }, 'Waits for approval: update 1, create 2'],
    [{ status: 'awaiting', kind: 'destroy', ...withChanges(['delete', 'delete', 'delete']) }, 'Destroy waits for approval: delete 3'],
    [{ status: 'awaiting', kind: 'prune', ...withChanges(['delete']) }, 'Prune waits for approval: delete 1'],
    [{ status: 'awaiting', kind: 'prune', undoes: 'a'.repeat(32), ...withChanges(['delete']) }, 'Undo waits for approval: delete 1'],
    [{ kind: 'plan', ...withLines('unchanged', 'unchanged') }, 'Nothing to change in 2 lines'],
    [
      { kind: 'plan', status: 'failed', lines: [lineOf('db', { status: 'blocked', problem: { code: 'ADOPT_REQUIRED', message: '' } })] },
      'Plan failed at db (ADOPT_REQUIRED)',
    ],
    [{ kind: 'plan', status: 'failed', problem: { code: 'PLAN_INVALID', message: '' } }, 'Plan failed: PLAN_INVALID'],
    [{ ...withLines('applied', 'applied', 'unchanged') }, '2 lines applied, 1 unchanged'],
    [{ ...withLines('applied') }, '1 line applied'],
    [{ ...withLines('unchanged') }, 'Nothing to change in 1 line'],
    [{ status: 'partial', lines: [lineOf('a'), lineOf('b', { status: 'waiting', waitingFor: 'deploy' })] }, '1 line applied, 1 waits for deploy'],
    [{ status: 'partial', lines: [lineOf('b', { status: 'waiting', waitingFor: 'deploy' })] }, 'Nothing new applied, 1 waits for deploy'],
    [{ status: 'failed', lines: [failing, lineOf('a', { status: 'rolled_back' })] }, 'Apply failed at db (PROVIDER_INVALID), 1 line rolled back'],
    [{ status: 'failed', lines: [failing, lineOf('a', { status: 'rollback_failed' })] }, 'Apply failed in 2 lines, rollback incomplete'],
    [{ status: 'failed', lines: [failing], notUndone: ['a'] }, 'Apply failed at db (PROVIDER_INVALID), 1 update not undone'],
    [{ status: 'failed', lines: [failing, lineOf('a')] }, 'Apply failed at db (PROVIDER_INVALID), 1 line stays applied'],
    [{ status: 'failed', lines: [failing] }, 'Apply failed at db (PROVIDER_INVALID), nothing else applied'],
    [{ status: 'failed', problem: { code: 'PLAN_INVALID', message: '' } }, 'Apply failed: PLAN_INVALID, nothing written'],
    [{ status: 'failed', problem: { code: 'ENV_NOT_APPROVED', message: '' } }, 'Refused where people approve first, nothing written'],
    [{ status: 'superseded' }, 'Superseded, nothing written'],
    [{ status: 'superseded', ...withLines('applied') }, 'Superseded, 1 line applied before'],
    [{ status: 'superseded', ...withLines('failed') }, 'Superseded, see the lines'],
    [{ status: 'stale' }, 'Older than what is applied, nothing written'],
    [{ status: 'fenced-out', ...withLines('applied') }, 'Lost the lease; the run that took it goes on'],
    [
      { status: 'failed', lines: [failing, lineOf('a', { status: 'rolled_back' })], kept: ['x (made again outside)'] },
      'Apply failed at db (PROVIDER_INVALID), 1 resource left alone',
    ],
    [{ kind: 'destroy', lines: [gone('a'), gone('b')], kept: ['x'] }, '2 lines removed, 1 resource left alone'],
    [{ kind: 'destroy', lines: [gone('a'), lineOf('b', { status: 'destroyed' })], kept: ['x', 'y'] }, '1 line removed, 2 resources left alone'],
    [{ kind: 'destroy', ...withLines('destroyed'), kept: ['x'] }, 'Nothing removed, 1 resource left alone'],
    [{ kind: 'destroy', ...withLines('destroyed') }, 'Nothing to remove'],
    [{ kind: 'prune', lines: [gone('a')] }, 'Orphans of 1 line removed'],
    [{ kind: 'destroy' }, 'Nothing to remove'],
    [{ kind: 'destroy', status: 'failed', lines: [lineOf('db', { status: 'destroy_failed' })], managed: 1 }, 'Removal failed at db, 1 resource still managed'],
    [{ kind: 'destroy', status: 'partial', managed: 3 }, 'Removal not finished, 3 resources still managed'],
  ])('%# %j', (changes, title) => {
    expect(outcomeOf(reportOf(changes)).title).toBe(title);
  });

  const statuses: RunStatus[] = ['complete', 'partial', 'failed', 'superseded', 'stale', 'fenced-out'];
  const kinds: RunKind[] = ['plan', 'apply', 'destroy'];
  const linesOfAllKinds = withLines('create', 'update', 'unchanged', 'pending', 'blocked', 'error', 'applied', 'waiting', 'failed', 'rolled_back', 'destroyed');

  it.each(kinds.flatMap((kind) => statuses.map((status) => [kind, status] as const)))('%s that ends %s is said in ten words', (kind, status) => {
    for (const changes of [{}, linesOfAllKinds, withLines('create', 'update', 'unchanged', 'pending'), { lines: [failing], kept: ['x', 'y'], managed: 7 }]) {
      const { title } = outcomeOf(reportOf({ kind, status, ...changes }));
      expect(title.split(' ').length, title).toBeLessThanOrEqual(10);
    }
  });
});
