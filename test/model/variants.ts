/**
 * The gate with one thing of it taken out, the beginning from which the model finds it, and what it finds broken. Each edit is made by the
 * loader of `test/mutants` while the file is loaded.
 */
import type { Edit } from '../mutants/mutants.ts';
import { apart, type Budget, nothing, type Setting, settingOf } from './settings.ts';

export interface Variant {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly setting: Setting;
  /** The invariant that it breaks, as the model names it. */
  readonly breaks: RegExp;
}

const from = (budget: Partial<Budget>, more: Partial<Setting> = {}): Setting => settingOf('a variant', { ...nothing, ...budget }, more);
const sideBySide: Partial<Setting> = { commits: { one: apart('2', '3') } };

/** Its second line waits for the deployment of its commit. */
const waits: Partial<Setting> = {
  begins: 'waiting',
  commits: {
    one: [
      { id: 'a', things: { x: '2' } },
      { id: 'b', things: { y: { from: 'a.url' } }, depends_on: ['a'] },
    ],
  },
};
const arriving: Setting = from({ answers: 1, stills: 1, minutes: 1 }, { begins: 'asking', faulty: 'control' });

const keys = 'shared/table/keys.ts';
const decision = 'shared/approvals/decision.ts';
const honour = 'shared/guard/honour.ts';
const judging = 'shared/approvals/judge-decisions.ts';

const tending = 'shared/run/tend-question.ts';

const tokenAfterwards: readonly Edit[] = [
  {
    file: tending,
    anchor: 'const question = arrival && found ? await storeToken(world, found, arrival.token, arrival.entered) : found;',
    replacement: 'const question = found;',
  },
  {
    file: tending,
    anchor: "  if (verdict === 'reject') return endAsked(",
    replacement: "  if (arrival && found) await storeToken(world, found, arrival.token, arrival.entered);\n  if (verdict === 'reject') return endAsked(",
  },
];

/** What else finds a decision that was given while a token was on its way: whoever hears it goes on without one, and the schedule looks. */
const netsAway: readonly Edit[] = [
  { file: tending, anchor: 'return guardUntold(world, run);', replacement: 'return freeStep(world, run);' },
  { file: 'shared/run/sweep.ts', anchor: "const parked = await wake('awaiting');", replacement: 'const parked = 0;' },
];

export const variants: readonly Variant[] = [
  {
    name: 'model: decisions are looked at before the token is stored, and nothing makes up for it',
    edits: [...tokenAfterwards, ...netsAway],
    setting: arriving,
    breaks: /^P7: run one was approved, and waits/,
  },
  {
    name: 'model: decisions are looked at before the token is stored',
    edits: tokenAfterwards,
    setting: arriving,
    breaks: /^I11: run one has ended, and its execution has not/,
  },
  {
    name: 'model: a decision holds for a run that waits, however long',
    edits: [{ file: honour, anchor: 'known.decisions.length === 0 || known.expiresAt > now);', replacement: 'known.expiresAt > 0);' }],
    setting: from({ deployments: 1, days: 1 }, waits),
    breaks: /^P7: PATCH y under a decision whose time was over/,
  },
  {
    name: 'model: effects are not compared',
    edits: [
      {
        file: 'shared/approvals/effect.ts',
        anchor: 'return fresh.every((effect) => {',
        replacement: 'if (left) return true;\n  return fresh.every((effect) => {',
      },
    ],
    setting: from({ answers: 1, edits: 1 }),
    breaks: /^I7: .* y: .*, and that is no effect of what had been approved/,
  },
  {
    name: 'model: effects must be equal',
    edits: [
      {
        file: 'shared/approvals/effect.ts',
        anchor: 'return fresh.every((effect) => {',
        replacement: 'if (fresh.length !== left.length) return false;\n  return fresh.every((effect) => {',
      },
    ],
    setting: from({ answers: 1, deaths: 1, minutes: 1 }, { faulty: 'lines' }),
    breaks: /^P7: plan.stale, and nothing had moved/,
  },
  {
    name: 'model: the state is not compared',
    edits: [{ file: 'shared/guard/guard.ts', anchor: 'if (!stateHolds(', replacement: 'if (run === undefined && !stateHolds(' }],
    setting: from({ answers: 1, records: 1 }),
    breaks: /^I12: a write over line b/,
  },
  {
    name: 'model: a decision is keyed by the run alone',
    edits: [
      { file: keys, anchor: '`DECISION#${run}#${q}#`', replacement: '`DECISION#${run}#${q === undefined}#`' },
      {
        file: keys,
        anchor: '  pk: planPartition(digest),\n  sk: `${decisionPrefix(run, q)}${part(person)}`,',
        replacement: '  pk: planPartition(digest.slice(64)),\n  sk: `${decisionPrefix(run, q)}${part(person)}`,',
      },
      { file: decision, anchor: 'planPartition(question.digest)', replacement: 'planPartition(question.digest.slice(64))' },
    ],
    setting: from({ answers: 1, records: 1 }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: a decision is keyed by the digest alone',
    edits: [{ file: keys, anchor: '`DECISION#${run}#${q}#`', replacement: '`DECISION#${run === undefined}#${q === undefined}#`' }],
    setting: from({ answers: 1, again: 1 }),
    breaks: /^(I7: .* nothing of the run had been approved|P7: run two ended rejected, and nobody)/,
  },
  {
    name: 'model: the guard takes any answer',
    edits: [
      { file: honour, anchor: 'if (verdict === undefined || (await frozen(', replacement: 'if (verdict === world || (await frozen(' },
      { file: honour, anchor: "if (verdict === 'reject') return end", replacement: 'if (verdict === world) return end' },
      {
        file: honour,
        anchor: "if (!answers.some(({ verdict }) => verdict === 'reject')) return false;",
        replacement: 'if (answers.length >= 0) return false;',
      },
    ],
    setting: from({ answers: 2 }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: nobody hears who rejects meanwhile',
    edits: [
      {
        file: honour,
        anchor: "if (!answers.some(({ verdict }) => verdict === 'reject')) return false;",
        replacement: 'if (answers.length >= 0) return false;',
      },
    ],
    setting: from({ answers: 2, stills: 1 }, { faulty: 'control' }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: what is honoured can be taken back',
    edits: [
      {
        file: decision,
        anchor: "const free = all(present, lacks('honoured'), lacks('withdrawn'));",
        replacement: "const free = all(present, lacks('withdrawn'));",
      },
    ],
    setting: from({ answers: 1, withdrawals: 1, stills: 1 }, { faulty: 'control' }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: a line does not look whether its run was cancelled',
    edits: [
      {
        file: 'shared/engine/apply-job.ts',
        anchor: "  if (run.stopping) return { result: { ...nothing, status: 'skipped' } };",
        replacement: "  if (run.stopping && run.stopping.cause !== 'cancelled') return { result: { ...nothing, status: 'skipped' } };",
      },
    ],
    setting: from({ answers: 1, cancels: 1 }),
    breaks: /^P7: PATCH x by a line that began after the stop/,
  },
  {
    name: 'model: the guard does not look for a freeze',
    edits: [{ file: honour, anchor: '|| (await frozen(world, { ...run, protects }))', replacement: '' }],
    setting: from({ answers: 1, freezes: 1 }),
    breaks: /^P7: PATCH x in a frozen environment/,
  },
  {
    name: 'model: what is honoured and not let go yet is frozen by nobody',
    edits: [
      { file: honour, anchor: 'if (await frozen(world, { ...run, protects })) return back', replacement: 'if (known === run.honoured && !known) return back' },
    ],
    setting: from({ freezes: 1 }, { recheck: true, begins: 'approved' }),
    breaks: /^P7: PATCH x in a frozen environment/,
  },
  {
    name: 'model: question and round are one number',
    edits: [{ file: 'shared/run/ask.ts', anchor: 'const q = (run.question?.q ?? 0) + 1;', replacement: 'const q = run.round;' }],
    setting: from({ answers: 1, records: 1, edits: 1 }, { recheck: true }),
    breaks: /^I12: run one is at question 3 after/,
  },
  {
    name: 'model: one is enough',
    edits: [{ file: judging, anchor: 'return by.length >= required &&', replacement: 'return (by.length >= required || by.length > 0) &&' }],
    setting: from({ answers: 2 }, { required: 2 }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: whoever wrote it approves it',
    edits: [
      {
        file: judging,
        anchor: 'if (!electorate.allowSelf && among(electorate.own, person.name)) {',
        replacement: 'if (!electorate.allowSelf && among([], person.name)) {',
      },
    ],
    setting: from({ answers: 1 }, { people: ['ann', 'bob', 'mona'] }),
    breaks: /^I7: .* nothing of the run had been approved/,
  },
  {
    name: 'model: the stop is recorded after planning again',
    edits: [
      {
        file: 'shared/guard/guard.ts',
        anchor: "    await recordStale(world, run, 'guard', 'state');\n    return planAgain(world, run);",
        replacement: "    await planAgain(world, run);\n    return void (await recordStale(world, run, 'guard', 'state'));",
      },
    ],
    setting: from({ answers: 1, records: 1, deaths: 1 }, { faulty: 'control' }),
    breaks: /^P7: run one plans again, and no plan.stale says why/,
  },
  {
    name: 'model: a stop under an id of its own',
    edits: [
      {
        file: 'shared/guard/stale.ts',
        anchor: 'return (await write(world, staleKey(run.id, run.round), { put',
        replacement: 'return (await write(world, { ...staleKey(run.id, run.round), sk: `STALE#${world.ids.fresh()}` }, { put',
      },
    ],
    setting: from({ answers: 1, records: 1 }),
    breaks: /^I12: no stop of run one leads to question 2/,
  },
  {
    name: 'model: the old question stays open',
    edits: [
      {
        file: 'shared/guard/plan-again.ts',
        anchor: 'if (question) await closeQuestion(',
        replacement: 'if (question && run.id === question.digest) await closeQuestion(',
      },
    ],
    setting: from({ answers: 1, records: 1 }),
    breaks: /^P2: run one has 2 questions open/,
  },
  {
    name: 'model: a stop wins over a line that failed',
    edits: [{ file: 'shared/run/advance.ts', anchor: "&& status !== 'failed' && status !== 'superseded';", replacement: ';' }],
    setting: from({ answers: 1, edits: 1, refusals: 1, stills: 1 }, { ...sideBySide, faulty: 'lines' }),
    breaks: /^P7: a line had failed/,
  },
  {
    name: 'model: a line does not look for the stop',
    edits: [
      {
        file: 'shared/engine/apply-job.ts',
        anchor: 'if (run.gated && (await isStale(world, run)) &&',
        replacement: 'if (run.gated && run.round === 0 && (await isStale(world, run)) &&',
      },
    ],
    setting: from({ answers: 1, edits: 1 }, sideBySide),
    breaks: /^P7: PATCH x by a line that began after the stop/,
  },
  {
    name: 'model: an end leaves its question open',
    edits: [
      { file: 'shared/run/end-asked.ts', anchor: '  await closeQuestion(world, { q, digest, run: run.id });\n', replacement: '' },
      {
        file: 'shared/run/ending.ts',
        anchor: 'if (run.question && asks) await closeQuestion(',
        replacement: 'if (run.question && asks && run.phase === undefined) await closeQuestion(',
      },
    ],
    setting: from({ answers: 1 }),
    breaks: /^I11: question 1 of run one is open, and nobody waits/,
  },
  {
    name: 'model: nobody is told that nobody was told',
    edits: [{ file: 'shared/run/tend-question.ts', anchor: 'return guardUntold(world, run);', replacement: 'return freeStep(world, run);' }],
    setting: from({ answers: 1, days: 1 }),
    breaks: /^(P7: run one was approved, and waits|I11: )/,
  },
];

/**
 * What is taken out, and the model finds nothing broken: another safeguard holds. `because` says which.
 */
export const survivors: readonly (Omit<Variant, 'breaks'> & { readonly because: string })[] = [
  {
    name: 'model: nobody goes on without a token, and the schedule does not look at what is parked',
    edits: netsAway,
    setting: arriving,
    because: 'the token is stored before decisions are looked for: whoever comes second finds the other',
  },
];
