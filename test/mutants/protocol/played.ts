/** What else turns a counterexample of the models true again: choices that a model tried, and one mutant where it breaks in another place, too. */
import type { Edit } from '../mutants.ts';
import { decisions } from './decisions.ts';
import { ofGate } from './elsewhere.ts';
import { leaseAndLedger } from './lease-and-ledger.ts';
import type { ProtocolMutant } from './mutant.ts';

const intents = 'shared/engine/intents.ts';

const of = (all: readonly ProtocolMutant[], name: string): ProtocolMutant => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no mutant ${name}`);
  return found;
};

/** What another scope has by its claim is deleted all the same. */
const [copiesDestroyed] = of(leaseAndLedger, 'copy without its claim destroyed').edits as [Edit];

export const played: readonly ProtocolMutant[] = [
  {
    ...of(decisions, 'stale entry under a fresh id'),
    name: 'stale entry under a fresh id, of two lines at once',
    caught: {
      case: 'two lines find at once that what they would do is not what was approved',
      says: /^I12: 2 records of a stop and 1 questions, and not 1 and 2/,
    },
  },
  {
    // The schedule looks at whatever asks: that net goes, too.
    name: 'an answer that is written down already wakes nobody',
    edits: [
      {
        file: 'shared/run/answer-question.ts',
        anchor: '  await queueStep(world, run);\n',
        replacement: '  if (stands === decision) await queueStep(world, run);\n',
      },
      { file: 'shared/run/sweep.ts', anchor: "const parked = await wake('awaiting');", replacement: 'const parked = 0;' },
    ],
    breaks: 'I11',
    caught: {
      case: 'whoever writes a decision down dies before the run is woken, and the click comes again',
      says: /^I11: the run was approved, and rests in awaiting/,
    },
  },
  {
    // Each line looks for it as well: that net goes, too.
    name: 'the guard does not look for the stop',
    edits: [
      {
        file: 'shared/guard/guard.ts',
        anchor: 'if (await isStale(world, run)) return planAgain(world, run);',
        replacement: 'void isStale;',
      },
      ...of(decisions, 'stale entry not looked at').edits,
    ],
    breaks: 'I12',
    caught: {
      case: 'the guard records that a plan is stale and dies, and what had moved goes back',
      says: /^I12: 1 records of a stop and 1 questions, and not 1 and 2/,
    },
  },
  {
    ...ofGate('the first capture gives way to a later one', 'I2'),
    caught: {
      case: 'a line writes once more over what it has taken over, and its next attempt finds what the first one wrote',
      says: /^I2: what was there before held first, and the destroy left ours/,
    },
  },
  {
    ...ofGate('a first value put back over anything', 'I5'),
    caught: {
      case: 'somebody changes what a line has taken over, and then its pull request is closed',
      says: /^I5: somebody had changed it by hand, and the destroy left first/,
    },
  },
  {
    // An entry whose claim is another scope’s is a copy, and is not destroyed: that net goes, too.
    name: 'an intent is resolved without a look at its claim',
    edits: [
      {
        file: intents,
        anchor: 'const claim = await takeClaim(world, intent, scope, ledger.line);',
        replacement: "const claim = { ours: true, writeId: (await readClaim(world, intent))?.writeId ?? '' };",
      },
      copiesDestroyed,
    ],
    breaks: 'I5',
    caught: {
      case: 'an intent arrives when its lease is over, and another scope, which saw none, takes the claim and makes the thing',
      says: /^I5: pull request 8 has made a, and the destroy of 7 has deleted it/,
    },
  },
  {
    name: 'an intent is dropped late, with the claim as it is then',
    edits: [
      ...of(leaseAndLedger, 'intent dropped by a late attempt').edits,
      {
        file: intents,
        anchor: 'if (!live) await dropClaim(world, intent, { scope, line: ledger.line, writeId: claim.writeId });',
        replacement: 'const now = live ? undefined : await readClaim(world, intent);\n  if (now?.scope === scope) await dropClaim(world, intent, now);',
      },
    ],
    breaks: 'I9',
    caught: {
      case: 'a destroy comes late to an intent that it found nothing of, when the next run of its scope has made the thing',
      says: /^I9: run \w+ wrote \S+ LEDGER#a while \w+ had the lease/,
    },
  },
  {
    // What is found may be recorded late: the same two nets.
    name: 'an intent alone keeps no claim',
    edits: [
      {
        file: 'shared/ledger/claim.ts',
        anchor: 'return line?.entries.some((entry) => identityHash(entry) === wanted) === true;',
        replacement: "return line?.entries.some((entry) => entry.createdBy !== 'intent' && identityHash(entry) === wanted) === true;",
      },
      ...of(leaseAndLedger, 'intent dropped by a late attempt').edits.filter(({ file }) => file === intents),
      copiesDestroyed,
    ],
    breaks: 'I5',
    caught: {
      case: 'another scope wants what a dead run left an intent for, while that intent is being looked at',
      says: /^I5: pull request 8 has made a, and the destroy of 7 has deleted it/,
    },
  },
  ...[
    'a line that knows its lease from the table writes at the end of it, and clocks differ',
    'a line that has renewed its lease writes at the end of it, and clocks differ',
  ].map(
    (where, at): ProtocolMutant => ({
      // The claim of a job ends long before its lease does: that net goes, too.
      name: `a lease is used to its end, ${at === 0 ? 'as it stands in the table' : 'as it was renewed'}`,
      edits: [
        { file: 'shared/lease/lease.ts', anchor: 'lease.expiresAt) - 2 * world.timing.skew };', replacement: 'lease.expiresAt) };' },
        {
          file: 'shared/engine/apply-job.ts',
          anchor: 'deadline(world.clock, line.until, entry.tenure.deadline)',
          replacement: 'deadline(world.clock, entry.tenure.deadline)',
        },
      ],
      breaks: 'I9',
      caught: { case: where, says: /^I9: run \w+ sent POST a while \w+ had the lease/ },
    }),
  ),
];
