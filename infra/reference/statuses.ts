/** What the reference pages say of statuses, kinds of drift and states of values. The compiler sees to it that none is left out. */
import { byStatus } from '../../functions/cli/exit-code.ts';
import type { AppliedStatus, DriftKind, InputState, PlannedStatus, RunStatus } from '../../shared/run/report.ts';
import { driftWords, statusWords } from '../../shared/surfaces/words.ts';
import { code, table } from './markdown.ts';

const planned: Readonly<Record<PlannedStatus, string>> = {
  create: 'It would be made.',
  delete: 'A removal would take something of it away.',
  update: 'It would be changed.',
  adopt: 'It is there, no ledger knows it, and the line would take it over and change it.',
  unchanged: 'It is as the line says.',
  pending: 'What it would do is not known before another line is done, or an outside event has come: `waitingOn`, `waitingFor`.',
  todo: 'A manual step that nobody has done.',
  run: 'A one-off action whose trigger has not run in this scope.',
  blocked: 'Refused, with the code that an apply would give.',
  error: 'It could not be looked at.',
};

const applied: Readonly<Record<AppliedStatus, string>> = {
  applied: 'Done.',
  unchanged: 'There was nothing to do.',
  waiting: 'An outside event, or a person, has to come first; the run goes on by itself then.',
  failed: 'It failed; what the run created is removed again.',
  rolled_back: 'What it created is removed again, since another line failed.',
  rollback_failed: 'What it created could not be removed, stays managed and is named.',
  skipped: 'It was not begun.',
  blocked: 'Refused, and nothing of it written.',
  destroyed: 'Removed. What was taken over is given back as it was found, and what was only kept is left; either is forgotten.',
  destroy_failed: 'It could not be removed, and stays managed.',
};

const drifts: Readonly<Record<DriftKind, string>> = {
  unmanaged: 'It is there, no ledger knows it, and no line touches it. It is never touched; `lockkeeper init` takes it up.',
  changed: 'It was edited, or with `replaced` made again, since Lockkeeper wrote it. Refused with `DRIFT_CHANGED`.',
  missing: 'It was deleted outside. The line makes it again.',
  orphan: 'Its line left the plan. It is left alone until a prune or a destroy.',
};

const inputs: Readonly<Record<InputState['state'], string>> = {
  literal: 'As it stands in the plan.',
  resolved: 'Another line has given it.',
  pending: 'Another line has yet to give it.',
  secret: 'A secret; its value is never shown.',
  kept: 'Whatever is live stays.',
};

const runs: Readonly<Record<RunStatus, string>> = {
  complete: 'Everything is done.',
  partial: 'Some lines wait; an event starts the next round. Where they wait for a person it exits 2.',
  awaiting: 'It waits for an approval.',
  failed: 'A line failed or was refused, or the run did.',
  rejected: 'A person said no; nothing was applied.',
  cancelled: 'A person stopped it before its next write; what it had applied stays.',
  expired: 'Nobody answered in time; nothing was applied.',
  superseded: 'A later run, of a newer commit or of the same one, or the end of the pull request took its place.',
  stale: 'A newer commit is applied already.',
  'fenced-out': 'It lost its lease to another run.',
};

const rows = <Name extends string>(texts: Readonly<Record<Name, string>>, more: (name: Name) => string) =>
  (Object.keys(texts) as Name[]).map((name) => [code(name), more(name), texts[name]]);

export const planStatuses = (): string =>
  table(
    ['Status', 'Shown as', 'Means'],
    rows(planned, (name) => statusWords[name].word),
  );
export const lineStatuses = (): string =>
  table(
    ['Status', 'Shown as', 'Means'],
    rows(applied, (name) => statusWords[name].word),
  );
export const driftKinds = (): string =>
  table(
    ['Kind', 'Shown as', 'Means'],
    rows(drifts, (name) => driftWords[name]),
  );
export const inputStates = (): string =>
  table(
    ['State', 'Means'],
    Object.entries(inputs).map(([name, text]) => [code(name), text]),
  );
export const runStatuses = (): string =>
  table(
    ['Status of a run', 'Exit', 'Means'],
    rows(runs, (name) => String(byStatus[name])),
  );
