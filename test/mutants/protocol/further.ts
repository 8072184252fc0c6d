import { ofCards } from './further/cards.ts';
import { ofDecisions } from './further/decisions.ts';
import { ofEntries } from './further/entries.ts';
import { ofEvents } from './further/events.ts';
import { ofLines } from './further/lines.ts';
import { ofReceipts } from './further/receipts.ts';
import { jobsAndPhases } from './jobs-and-phases.ts';
import type { ProtocolMutant } from './mutant.ts';

/** One of the list's once more, where people have approved the run. */
function approved(name: string, where: string, says: RegExp): ProtocolMutant {
  const one = jobsAndPhases.find((other) => other.name === name);
  if (!one) throw new Error(`there is no mutant ${name}`);
  return { ...one, name: `${name}, of what people approved`, caught: { case: where, says } };
}

/** Safeguards that the protocol's list does not name, and those of its list in other places: each with the story or the case that cannot end as it should without. */
export const further: readonly ProtocolMutant[] = [
  {
    name: 'every delivery is new',
    edits: [
      {
        file: 'functions/github-webhook/record.ts',
        anchor: 'const id = intakeIdOf(deliveryId);',
        replacement: 'const id = intakeIdOf(deliveryId + ports.ids.fresh());',
      },
    ],
    breaks: 'I10',
    caught: { story: 'first-apply', says: /^I10: runs changed when messages and events came again/ },
  },
  {
    name: 'receipts unlinked',
    edits: [{ file: 'shared/receipts/chain.ts', anchor: 'previous: top ? digestOf(top.body) : null', replacement: 'previous: null' }],
    breaks: 'I6',
    caught: { story: 'update', says: /^I6: version 1 of \S+ does not name the one before it/ },
  },
  {
    name: 'nobody need decide',
    edits: [
      {
        file: 'shared/run/decided.ts',
        anchor: 'if (decisions.length === 0) return { counted: [],',
        replacement: "if (decisions.length === 0) return { verdict: 'approve', counted: [],",
      },
    ],
    breaks: 'I7',
    caught: { story: 'approval', says: /^I7: run \w+ sent PATCH a=2 in production: nobody approved/ },
  },
  {
    name: 'a plan goes on',
    edits: [{ file: 'shared/run/prepare.ts', anchor: "if (run.intent === 'plan') return preparePlan(world, run);", replacement: 'void preparePlan;' }],
    breaks: 'I4',
    caught: { story: 'plan', says: /^I4: planning run \w+ sent PATCH a/ },
  },
  {
    name: 'what nobody knows is taken over',
    edits: [
      {
        file: 'shared/engine/judge.ts',
        anchor: "if (mayAdopt) return { do: 'update', adopts: true };",
        replacement: "if (mayAdopt || op) return { do: 'update', adopts: true };",
      },
    ],
    breaks: 'I5',
    caught: { story: 'taken', says: /^I5: run \w+ sent PATCH for theirs \(id-1-\), which is not ours/ },
  },
  approved(
    'rollback of one round only',
    'a line of the second round is refused: what the first one made, and nobody has since, is taken back',
    /^I2: the run failed and was rolled back, and a, which its first round made, is there/,
  ),
  approved(
    'dead letter of a control step settles',
    'the step after the last line of a later round dies as often as its queue allows',
    /^I2: the run died and failed, and a, which its first round made, is there/,
  ),
  {
    name: 'an execution named after the round that is over',
    edits: [
      {
        file: 'shared/guard/plan-again.ts',
        anchor: 'guard === undefined ? `${run.id}-${round}` : run.execution',
        replacement: 'guard === undefined ? `${run.id}-${run.round}` : run.execution',
      },
    ],
    breaks: 'I11',
    caught: {
      case: 'a line finds its round stale, and nobody waits for the run any more: whoever asks again has an execution of its own',
      says: /^I11: a question is open, and 0 executions wait for its answer/,
    },
  },
  {
    name: 'what stopped one round stops the next',
    edits: [
      {
        file: 'shared/guard/stale.ts',
        anchor: 'return (await world.table.get(staleKey(run.id, run.round))) !== undefined;',
        replacement: 'return (await world.table.get(staleKey(run.id, Math.min(run.round, 1)))) !== undefined;',
      },
    ],
    breaks: 'I12',
    caught: { case: 'what stopped the first round stands in the table while the second one is applied', says: /^I12: run \w+: 6 questions for 1 stops/ },
  },
  {
    name: 'a question that ran out is left as it is',
    edits: [
      {
        file: 'shared/run/tend-question.ts',
        anchor: 'if (waits && expiresAt <= world.clock.now()) {',
        replacement: 'if (waits && expiresAt <= 0) {',
      },
    ],
    breaks: 'I11',
    caught: { case: 'nobody answers until the question has run out', says: /^I11: the run is not over, in awaiting, and not expired/ },
  },
  {
    name: 'a rollback takes what another run has reported',
    edits: [
      {
        file: 'shared/ledger/made-by.ts',
        anchor: '(isIntent(entry) || entry.fence > reportedUpTo)',
        replacement: '(isIntent(entry) || reportedUpTo >= 0)',
      },
    ],
    breaks: 'I5',
    caught: {
      case: 'another run settles between two rounds of a run, and the second of them is refused',
      says: /^I5: a rollback has taken away what another run had reported as managed/,
    },
  },
  {
    name: 'a lease is granted again whoever had it meanwhile',
    edits: [
      {
        file: 'shared/lease/lease.ts',
        anchor: 'if (lease?.holder !== run) return { ours: false, lease };',
        replacement: 'if (!lease || (lease.holder !== run && isLive(lease, sent))) return { ours: false, lease };',
      },
      { file: 'shared/lease/lease.ts', anchor: 'const again = { set: { fence, grantedAt', replacement: 'const again = { set: { holder: run, fence, grantedAt' },
      {
        file: 'shared/lease/lease.ts',
        anchor: "again, all(equal('holder', run), equal('fence', lease.fence)))",
        replacement: "again, equal('fence', lease.fence))",
      },
    ],
    breaks: 'I12',
    caught: {
      case: 'a run’s lease runs out between its guard’s judgement and its lines, and another run has it, changes the ledger and gives it back',
      says: /^I12: run \w+ applied q1, although line c had been written since it was planned/,
    },
  },
  ...ofDecisions,
  ...ofEntries,
  ...ofLines,
  ...ofEvents,
  ...ofReceipts,
  ...ofCards,
];
