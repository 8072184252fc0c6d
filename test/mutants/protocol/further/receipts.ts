/** What a settle stores that comes late. */
import type { Edit } from '../../mutants.ts';
import type { ProtocolMutant } from '../mutant.ts';

const linkedOnTop: Edit = { file: 'shared/receipts/chain.ts', anchor: "if (newest && newest.fence > own.fence) return 'lost';", replacement: '' };

export const ofReceipts: readonly ProtocolMutant[] = [
  {
    name: 'a receipt is linked on top of a newer one',
    edits: [linkedOnTop],
    breaks: 'I6',
    caught: { case: 'a settle comes late to its own receipt', says: /^I6: run \w+ has settled last, and the newest receipt is of \w+/ },
  },
  {
    name: 'whoever has lost the lease links a receipt again',
    edits: [
      linkedOnTop,
      {
        file: 'shared/receipts/chain.ts',
        anchor: "if (lease?.holder !== own.run || !isLive(lease, world.clock.now())) return 'lost';",
        replacement: 'void lease;',
      },
    ],
    breaks: 'I6',
    caught: { case: 'a settle comes late to the newest receipt', says: /^I6: run \w+ has settled last, and the newest receipt is of \w+/ },
  },
  {
    name: 'a head is written whatever it is by then',
    edits: [
      {
        file: 'shared/ledger/head.ts',
        anchor: "const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));",
        replacement: 'const unmoved = present;',
      },
    ],
    breaks: 'I9',
    caught: { case: 'a settle comes late to the head', says: /^I9: commit \w+ was applied last, and the head names \w+/ },
  },
];
