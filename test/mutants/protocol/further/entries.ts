/** What is in the ledger, or is to be: first values, intents, and the time until which somebody may write it. */
import type { Edit } from '../../mutants.ts';
import { named, ofGate } from '../elsewhere.ts';
import { leaseAndLedger } from '../lease-and-ledger.ts';
import type { ProtocolMutant } from '../mutant.ts';

const intents = 'shared/engine/intents.ts';

/** What another scope has by its claim is deleted all the same. */
const [copiesDestroyed] = named(leaseAndLedger, 'copy without its claim destroyed').edits as [Edit];

export const ofEntries: readonly ProtocolMutant[] = [
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
      ...named(leaseAndLedger, 'intent dropped by a late attempt').edits,
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
      ...named(leaseAndLedger, 'intent dropped by a late attempt').edits.filter(({ file }) => file === intents),
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
