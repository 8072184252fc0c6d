/** What must hold at the moment a request leaves for the provider of a protected environment. None of it asks the code under test. */
import { createHash } from 'node:crypto';
import type { Effect } from '../../shared/approvals/effect.ts';
import type { PlanDocument } from '../../shared/approvals/plan-document.ts';
import { fingerprint } from '../../shared/secrets/fingerprint.ts';
import { type Said, type Sent, type Stage, scope } from './stage.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function judgeWrite(stage: Stage, sent: Sent): string[] {
  return [
    ...unapproved(stage, sent),
    ...withoutLease(stage, sent),
    ...afterTheStop(sent),
    ...inAFreeze(stage, sent),
    ...tooLate(stage, sent),
    ...overMovedState(stage, sent),
  ];
}

const told = ({ method, name, from, to }: Sent): string => `${method} ${name}: ${from ?? 'nothing'} → ${to ?? 'nothing'}`;

/**
 * I7: enough of those who may have approved, before the guard judged, a document of this run and its question; nobody who may had rejected it
 * by then; and exactly this write, over exactly what is there, is among its effects of this line. Or it removes what the run itself made.
 */
function unapproved(stage: Stage, sent: Sent): string[] {
  const { run } = sent;
  if (run.phase === 'rolling-back' && sent.method === 'DELETE' && stage.past.made.get(sent.id ?? '') === run.id) return [];
  const approved = digestsApproved(stage, run.id);
  if (approved.length === 0) return [`I7: ${told(sent)}, and nothing of the run had been approved`];
  const covered = approved.some(({ digest }) => effectsOf(stage, digest, sent.line).some((effect) => covers(stage, effect, sent)));
  return covered ? [] : [`I7: ${told(sent)}, and that is no effect of what had been approved`];
}

/** The run's newest question that has any approval, where it has enough of them and no rejection. */
function digestsApproved(stage: Stage, run: string): { readonly digest: string; readonly q: number }[] {
  const asked = stage.past.said.filter((one) => one.run === run);
  const now = stage.bench.memory.peek(`RUN#${run}`, 'META')?.['honoured'] as { q: number; digest: string } | undefined;
  if (!now) return [];
  const answers = asked.filter((one) => one.q === now.q && one.digest === now.digest);
  return enough(stage, answers) ? [now] : [];
}

/** Who wrote every commit, and may take back what they started, and no more. */
const author = 'mona';

/** Whether the answers to one question let its run go on: told by the setting, not by the policy's reader. */
export function enough({ setting }: Pick<Stage, 'setting'>, answers: readonly Said[]): boolean {
  const counted = answers.filter(({ person, inTime }) => inTime && person !== author && setting.people.includes(person));
  if (answers.some(({ person, inTime, verdict }) => inTime && verdict === 'reject' && [...setting.people, author].includes(person))) return false;
  return new Set(counted.filter(({ verdict }) => verdict === 'approve').map(({ person }) => person)).size >= setting.required;
}

function effectsOf({ bench }: Stage, digest: string, line: string): readonly Effect[] {
  const body = bench.bucket.bodies(`plans/${digest}.json`).at(-1);
  if (body === undefined || sha256(body) !== digest) return [];
  return (JSON.parse(body) as PlanDocument).lines.filter(({ id }) => id === line).flatMap(({ effects }) => effects);
}

const actionsOf: Readonly<Record<string, readonly string[]>> = { POST: ['create'], PATCH: ['update', 'adopt'] };

function covers({ bench }: Stage, effect: Effect, { method, name, from, to, run }: Sent): boolean {
  const marked = (value: string | undefined) => (value === undefined ? undefined : fingerprint(bench.world().keys.fingerprint, sha256(value)).mac);
  const named = (JSON.parse(effect.address) as unknown[])[2] === `thing:${name}`;
  // What was approved as the address of a deployment is that of the run's own commit, and nothing else.
  const as = effect.waitsFor.join() === 'a.url' ? to === addressOf(run) : effect.after?.mac === marked(to);
  return named && actionsOf[method]?.includes(effect.action) === true && effect.before?.mac === marked(from) && as;
}

const addressOf = ({ commit }: Sent['run']): string => `https://${commit.slice(0, 7)}.example.test`;

/** P7: once a stop is on record, no further line begins; nor P1: once a person has cancelled the run. */
const afterTheStop = ({ late, method, name }: Sent): string[] => (late ? [`P7: ${method} ${name} by a line that began after the stop`] : []);

/** P7: whoever freezes an environment stops what the guard has not let go by then. */
function inAFreeze({ past }: Stage, { run, method, name }: Sent): string[] {
  if (past.frozen === undefined || past.frozen.includes(`${run.id} ${run.honoured?.q}`)) return [];
  return [`P7: ${method} ${name} in a frozen environment`];
}

/** P7: what was approved holds for a run that waits until the decision's own time is over. */
const tooLate = ({ past }: Stage, { run, method, name }: Sent): string[] =>
  past.over?.includes(`${run.id} ${run.honoured?.q}`) ? [`P7: ${method} ${name} under a decision whose time was over`] : [];

/** I9: only the run that has the lease sends anything. */
function withoutLease({ bench }: Stage, { run, method, name }: Sent): string[] {
  const lease = bench.memory.peek(`SCOPE#${scope}`, 'LEASE');
  const ours = lease?.['holder'] === run.id && lease['released'] !== true && Number(lease['expiresAt']) >= bench.clock.now();
  return ours ? [] : [`I9: ${method} ${name} without the lease`];
}

/** I12: what was approved was planned over the ledger as it is, but for what the run itself wrote down. */
function overMovedState({ bench }: Stage, { run }: Sent): string[] {
  const digest = run.honoured?.digest;
  const body = digest === undefined ? undefined : bench.bucket.bodies(`plans/${digest}.json`).at(-1);
  if (body === undefined) return [];
  const planned = new Map((JSON.parse(body) as PlanDocument).state.map(({ line, version }) => [line, version]));
  const moved = bench.memory.each().filter((item) => {
    if (item.pk !== `SCOPE#${scope}` || !item.sk.startsWith('LEDGER#') || item['lastRun'] === run.id) return false;
    return (item['entries'] as unknown[]).length > 0 && planned.get(String(item['line'])) !== item['version'];
  });
  return moved.map((item) => `I12: a write over line ${String(item['line'])}, which is not as it was when this was planned`);
}
