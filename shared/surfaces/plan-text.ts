/** A stored plan for a person at a terminal, and two of them held against each other. What stands in clear was shown with the question. */
import type { PlanComparison, ResourceComparison } from '../approvals/compare-plans.ts';
import { resourceOf } from '../approvals/differences.ts';
import type { Action, Effect, PathEffect } from '../approvals/effect.ts';
import { effectsDigest, type PlannedLine } from '../approvals/plan-document.ts';
import type { ShownChange, ShownField } from '../engine/op.ts';
import type { AskedPlan } from '../run/find-plan.ts';
import { shortDigest } from './approval.ts';
import { plain } from './escape.ts';
import type { Painter } from './paint.ts';
import { sideText } from './side.ts';
import { count, driftWords, type StatusWords, utc } from './words.ts';

/** How an action is shown. */
const actionWords: Readonly<Record<Action, Pick<StatusWords, 'symbol' | 'tone' | 'word'>>> = {
  'no-op': { symbol: '=', tone: 'same', word: 'left as it is' },
  read: { symbol: '=', tone: 'same', word: 'read, and not written' },
  create: { symbol: '+', tone: 'done', word: 'create' },
  update: { symbol: '~', tone: 'done', word: 'update' },
  replace: { symbol: '~', tone: 'bad', word: 'delete, then create' },
  delete: { symbol: '-', tone: 'bad', word: 'delete' },
  adopt: { symbol: '~', tone: 'done', word: 'adopt, and write over' },
  todo: { symbol: '?', tone: 'open', word: 'to do by a person' },
  run: { symbol: '+', tone: 'done', word: 'run' },
  import: { symbol: '~', tone: 'done', word: 'import into the state' },
  forget: { symbol: '-', tone: 'bad', word: 'take out of the state, and leave it where it is' },
  move: { symbol: '~', tone: 'done', word: 'move in the state' },
};

/**
 * What an approval of this plan binds: its head, each resource with what would become of it, and what is not looked at.
 *
 * @param became what came of a question that is closed.
 */
export function planText(plan: AskedPlan, paint: Painter, became?: (run: string, q: number) => string | undefined): string {
  const { digest, document } = plan;
  const { state, warnings = [] } = document;
  const lines = inPlanOrder(plan);
  const rows = [
    `Plan ${shortDigest(digest)} of ${document.kind ? `a ${document.kind}` : plain(document.plan.path)} in ${plain(document.environment)}, scope ${plain(document.scope)}, commit ${plain(document.commit.slice(0, 7))}`,
    `  Digest   ${digest}`,
    `  Effects  ${effectsDigest(document)}: what it would do, alone`,
    `  Over     ${state.length === 0 ? 'nothing that is managed yet' : `what ${count(state.length, 'line')} managed then: ${state.map(({ line }) => plain(line)).join(', ')}`}`,
    ...plan.questions.map(({ run, q, expiresAt, state: is }) => {
      const until = utc(new Date(expiresAt).toISOString());
      return `  Asked    by run ${run.slice(0, 12)}, question ${q}: ${is === 'open' ? `open until ${until}` : (became?.(run, q) ?? 'closed')}`;
    }),
    ...lines.flatMap((line) => ['', ...lineTexts(line, plan, paint)]),
    ...(warnings.length > 0 ? ['', `Warnings: ${warnings.join(', ')}`] : []),
  ];
  return `${rows.join('\n')}\n`;
}

const changesOf = ({ shown }: Pick<AskedPlan, 'shown'>, line: string): readonly ShownChange[] => shown?.lines.find(({ id }) => id === line)?.changes ?? [];

/** In the order in which people were shown them; the document has one of its own. */
function inPlanOrder({ document: { lines }, shown }: AskedPlan): readonly PlannedLine[] {
  const order = new Map((shown?.lines ?? []).map(({ id }, at) => [id, at]));
  const last = order.size;
  return lines.toSorted((one, other) => (order.get(one.id) ?? last) - (order.get(other.id) ?? last));
}

/** A resource as it was called when people were asked; by its key where nobody knows any more. */
function labelIn({ shown }: AskedPlan): (key: string) => string {
  const seen = (shown?.drift ?? []).map(({ resource: { key, label = key } }) => ({ key, label }));
  const labels = new Map([...seen, ...(shown?.lines ?? []).flatMap(({ changes }) => changes)].map(({ key, label }) => [key, label]));
  return (key) => labels.get(key) ?? key;
}

function lineTexts(
  { id, adapter, op, effects, accepted = [], drift = [], ignored = [], redeploys, warnings = [] }: PlannedLine,
  plan: AskedPlan,
  paint: Painter,
): string[] {
  const changes = changesOf(plan, id);
  const label = labelIn(plan);
  const notes = plan.shown?.lines.find((line) => line.id === id)?.notes ?? {};
  return [
    `${plain(id)}  ${plain(adapter)}.${plain(op)}${effects.length === 0 ? '  nothing' : ''}`,
    ...effects.flatMap((effect) => effectTexts(effect, changes, paint)),
    ...accepted.map((one) => `  = ${plain(label(resourceOf(one)))}: edited outside, and accepted until ${utc(one.until)}${listed(one.paths)}`),
    ...drift.map(({ kind, resource, replaced }) => {
      const what = `${driftWords[kind]}${replaced ? ', and made again' : ''}`;
      return kind === 'unmanaged' ? `  = ${plain(label(resource))}: ${what}, left alone` : `  ! ${plain(label(resource))}: ${what}`;
    }),
    ...(ignored.length > 0 ? [`  Not looked at: ${ignored.map((path) => plain(path)).join(', ')}`] : []),
    ...(redeploys === undefined ? [] : [`  Deployed anew once it is written: ${plain(redeploys)}`]),
    ...warnings.map((name) => (notes[name] === undefined ? `  Noted: ${name}` : `  Noted, ${name}: ${plain(notes[name])}`)),
  ];
}

function effectTexts(effect: Effect, changes: readonly ShownChange[], paint: Painter): string[] {
  const { symbol, tone, word } = actionWords[effect.action];
  const change = changes.find(({ key }) => key === resourceOf(effect));
  const waits = effect.waitsFor.length === 0 ? '' : `, waits for ${effect.waitsFor.map((reference) => plain(reference)).join(', ')}`;
  return [
    `  ${paint(tone, symbol)} ${plain(change?.label ?? resourceOf(effect))}: ${paint(tone, word)}${waits}`,
    ...effect.paths.map((path) => `      ${plain(path.path)}: ${pathText(path, fieldOf(change, path.path))}`),
  ];
}

const fieldOf = (change: ShownChange | undefined, path: string): ShownField | undefined => change?.fields.find((field) => field.path === path);

/** Both values where they were shown with the question; of anything else that it changes, and what it waits for. */
export function pathText({ waitsFor }: Pick<PathEffect, 'waitsFor'>, field: ShownField | undefined): string {
  const isShown = field?.before.state === 'literal' || field?.after.state === 'literal';
  if (field && (isShown || field.before.state === 'absent')) return `${sideText(field.before)} → ${sideText(field.after)}`;
  return waitsFor === undefined ? 'changed' : `changed, to what ${plain(waitsFor)} gives`;
}

const listed = (paths: readonly string[]): string => (paths.length === 0 ? '' : ` (${paths.map((path) => plain(path)).join(', ')})`);

const headWords: Readonly<Record<PlanComparison['head'][number], string>> = {
  kind: 'One of them takes away, and the other does not, or not in the same way.',
  repository: 'It is of another repository.',
  environment: 'It is for another environment.',
  scope: 'It is for another scope.',
  commit: 'It is of another commit.',
  plan: 'The plan file is another one.',
};

const stateWords = { new: 'is managed by now', gone: 'is not managed any more', changed: 'has been written since' } as const;

/** What the later of two plans says otherwise; in one sentence where it says the same. */
export function comparisonText(earlier: AskedPlan, later: AskedPlan, found: PlanComparison, paint: Painter): string {
  const rows = [
    `From plan ${shortDigest(earlier.digest)} to plan ${shortDigest(later.digest)}`,
    ...verdictOf(found),
    ...found.head.map((name) => `- ${headWords[name]}`),
    ...found.state.map(({ line, what }) => `- Line ${plain(line)} of the ledger ${stateWords[what]}.`),
    ...found.told.map(({ line, what }) => {
      const [then, now] = [earlier, later].map((plan) => toldIn(plan, line, what)) as [string, string];
      return `- ${line === undefined ? 'The plan' : `Line ${plain(line)}`} has other ${tellingWords[what]}: ${then}; now ${now}.`;
    }),
    ...(found.resources.length > 0 ? [''] : []),
    ...found.resources.flatMap((resource) => resourceTexts(resource, earlier, later, paint)),
  ];
  return `${rows.join('\n')}\n`;
}

/** What one of two plans says of that kind, by name. */
function toldIn(plan: AskedPlan, line: string | undefined, what: keyof typeof tellingWords): string {
  const label = labelIn(plan);
  const from = line === undefined ? { warnings: plan.document.warnings } : plan.document.lines.find(({ id }) => id === line);
  const told = (from as Partial<PlannedLine> | undefined)?.[what];
  if (told === undefined || told.length === 0) return 'none';
  if (typeof told === 'string') return plain(told);
  return told
    .map((one) => {
      if (typeof one === 'string') return plain(one);
      return 'kind' in one ? `${plain(label(one.resource))} ${driftWords[one.kind]}` : `${plain(label(resourceOf(one)))} until ${utc(one.until)}`;
    })
    .join(', ');
}

const tellingWords = {
  accepted: 'accepted edits',
  drift: 'drift',
  ignored: 'paths that are not looked at',
  redeploys: 'deployments after it',
  warnings: 'warnings',
} as const;

function verdictOf({ same, sameEffects }: PlanComparison): string[] {
  if (same) return ['They are the same plan.'];
  return [sameEffects ? 'They would do the same: an approval of the one is still none of the other.' : 'They would not do the same.'];
}

function resourceTexts({ line, resource, what, before, after, paths }: ResourceComparison, earlier: AskedPlan, later: AskedPlan, paint: Painter): string[] {
  const [then, now] = [earlier, later].map((plan) => changesOf(plan, line).find(({ key }) => key === resource)) as [
    ShownChange | undefined,
    ShownChange | undefined,
  ];
  const label = plain(now?.label ?? then?.label ?? resource);
  const [symbol, tone] = ({ new: ['+', 'done'], gone: ['-', 'open'], changed: ['~', 'open'], moved: ['~', 'same'] } as const)[what];
  const actions = `${before.join(', then ') || 'nothing'} → ${after.join(', then ') || 'nothing left to do'}`;
  return [
    `${paint(tone, symbol)} ${plain(line)}  ${label}: ${before.join() === after.join() ? before.join(', then ') : actions}`,
    ...paths.map((path) => `      ${plain(path)}: ${bothTexts(fieldOf(then, path), fieldOf(now, path))}`),
  ];
}

/** What the earlier plan would have made of an attribute, and what the later one would. */
function bothTexts(then: ShownField | undefined, now: ShownField | undefined): string {
  if (!then && !now) return 'changed';
  const [earlier, later] = [then, now].map((field) => (field ? pathText(waitOf(field), field) : 'not in that plan')) as [string, string];
  return earlier === later ? `${later}, with another value` : `${earlier}; now ${later}`;
}

const waitOf = ({ after }: ShownField): Pick<PathEffect, 'waitsFor'> => (after.state === 'pending' ? { waitsFor: after.ref } : {});
