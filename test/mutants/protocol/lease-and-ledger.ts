import { ofGate } from './elsewhere.ts';
import type { ProtocolMutant } from './mutant.ts';

const lease = 'shared/lease/lease.ts';
const claim = 'shared/ledger/claim.ts';

export const leaseAndLedger: readonly ProtocolMutant[] = [
  {
    name: 'seal off',
    edits: [{ file: lease, anchor: 'await sealScope(world, scope, run, fence);', replacement: 'void sealScope;' }],
    breaks: 'I9',
    caught: {
      case: 'a record arrives when another run has taken the lease over and has begun to read',
      says: /^I9: run \w+ wrote \S+ LEDGER#a while \w+ had the lease/,
    },
  },
  {
    name: 'seal skipped after a crash',
    edits: [{ file: lease, anchor: 'if (lease.sealedAt !== lease.fence) await seal(world, scope, run, lease.fence);', replacement: '' }],
    breaks: 'I9',
    caught: {
      case: 'whoever took the lease over dies before it has sealed it, and then the record arrives',
      says: /^I9: run \w+ wrote \S+ LEDGER#a while \w+ had the lease/,
    },
  },
  {
    name: 'grant bumps its own fence',
    edits: [
      { file: lease, anchor: '    return settleGrant(world, scope, run, lease, sent);', replacement: '' },
      {
        file: lease,
        anchor: "any(has('released'), atMost('expiresAt', sent))",
        replacement: "any(has('released'), atMost('expiresAt', sent), equal('holder', run))",
      },
    ],
    breaks: 'I9',
    caught: {
      case: 'a step that has the lease is delivered again when its claim is over',
      says: /^I9: nobody took the lease, and a duplicate has fenced its run out of it/,
    },
  },
  {
    name: 'released counts as free',
    edits: [
      {
        file: lease,
        anchor: 'if (lease?.holder !== run) return { ours: false, lease };',
        replacement: 'if (!lease || (lease.holder !== run && !lease.released)) return { ours: false, lease };',
      },
      {
        file: lease,
        anchor: "const again = { set: { fence, grantedAt: sent, expiresAt }, remove: ['released'] };",
        replacement: "const again = { set: { holder: run, fence, grantedAt: sent, expiresAt }, remove: ['released'] };",
      },
      { file: lease, anchor: "again, all(equal('holder', run), equal('fence', lease.fence)));", replacement: "again, equal('fence', lease.fence));" },
      {
        file: lease,
        anchor: 'if (isLive(lease, sent)) return { ours: true,',
        replacement: 'if (lease.holder === run && isLive(lease, sent)) return { ours: true,',
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'a run’s lease runs out while it begins its phase, and another run has it, ends, and gives it back before a line comes',
      says: /^I8: the pull request is closed, and a,b is there/,
    },
  },
  {
    name: 'insert ignores the deadline',
    edits: [
      {
        file: 'shared/engine/apply-job.ts',
        anchor: '  guard.beforeWrite(world.timing.storeTimeout);\n  await createLedgerLine(',
        replacement: '  await createLedgerLine(',
      },
    ],
    breaks: 'I9',
    caught: {
      case: 'a line comes to its ledger when its lease was taken, and what it reads has been cleared away',
      says: /^I9: run \w+ made LEDGER#a, and nobody has the lease/,
    },
  },
  {
    name: 'phase items put by a late step',
    edits: [{ file: 'shared/run/enter-phase.ts', anchor: '    refuseLate(world, run);\n', replacement: '    void refuseLate;\n' }],
    breaks: 'I11',
    caught: { case: 'a step of one phase comes to its items when a later phase is at work', says: /^I11: run \w+ rests in rolling-back/ },
  },
  {
    // The ledger’s own condition refuses what comes late: that net goes, too.
    name: 'intent dropped by a late attempt',
    edits: [
      {
        file: 'shared/engine/intents.ts',
        anchor: '  const found = live && fingerprint(world.keys.fingerprint, live.hash);\n  guard.beforeWrite(world.timing.storeTimeout);',
        replacement: '  const found = live && fingerprint(world.keys.fingerprint, live.hash);',
      },
      {
        file: 'shared/ledger/ledger-line.ts',
        anchor: "const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));",
        replacement: "const unmoved = equal('line', before.line);",
      },
    ],
    breaks: 'I9',
    caught: { case: 'an intent is being resolved when another run takes the lease over', says: /^I9: run \w+ wrote \S+ LEDGER#a while \w+ had the lease/ },
  },
  {
    ...ofGate('hand-over after the deadline', 'I5'),
    caught: {
      case: 'a hand-over comes to the claim when the old scope’s lease is over, and a destroy there is about to delete',
      says: /^I5: x is the pull request’s by its claim, and a destroy of the branch has deleted it/,
    },
  },
  {
    name: 'ledger read before lease when stealing',
    edits: [
      {
        file: claim,
        anchor: '  if (isLive(await readLease(world, claim.scope), world.clock.now())) return false;\n  return !(await hasEntry(world, claim, identity));',
        replacement:
          '  const has = await hasEntry(world, claim, identity);\n  if (isLive(await readLease(world, claim.scope), world.clock.now())) return false;\n  return !has;',
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'two scopes want one thing, and while the second looks whether the first has it, the first makes it and ends',
      says: /^I8: every pull request is closed, and a is there/,
    },
  },
  {
    name: 're-claim without a fresh writeId',
    edits: [
      {
        file: claim,
        anchor: '    if (!mayTake) return { ours: false, owner: claim };',
        replacement:
          '    if (!mayTake) return { ours: false, owner: claim };\n    if (claim && sameOwner(claim, scope, line)) return { ours: true, writeId: claim.writeId };',
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'a scope finds a claim that was left, and before it takes it the next run of its owner makes the thing',
      says: /^I8: every pull request is closed, and a is there/,
    },
  },
  {
    // An entry whose claim is another scope’s is a copy, and is not destroyed: that net goes, too.
    name: 'claim removed before the entry',
    edits: [
      {
        file: 'shared/engine/undo-line.ts',
        anchor:
          '  const gone = await takeOut(holding, entry, undone);\n  const ours = claim?.scope === holding.scope && claim.line === gone.ledger.line;\n  if (ours) await dropClaim(holding.world, entry, claim);\n  return gone;',
        replacement:
          '  const ours = claim?.scope === holding.scope && claim.line === holding.ledger.line;\n  if (ours) await dropClaim(holding.world, entry, claim);\n  return takeOut(holding, entry, undone);',
      },
      {
        file: 'shared/engine/undo-line.ts',
        anchor: 'const isCopy = claim?.scope !== scope ||',
        replacement: 'const isCopy = claim === undefined ||',
      },
    ],
    breaks: 'I5',
    caught: {
      case: 'a destroy dies between its claim and its entry, and another scope makes the thing meanwhile',
      says: /^I5: the thing that pull request 8 has made was deleted by the destroy of 7/,
    },
  },
  {
    name: 'claim removed by owner instead of writeId',
    edits: [
      {
        file: claim,
        anchor: "{ delete: true }, all(equal('writeId', seen.writeId)));",
        replacement: "{ delete: true }, all(equal('scope', seen.scope), equal('line', seen.line)));",
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'a destroy comes late to the claim it has to remove, and the scope has made its thing again',
      says: /^I8: every pull request is closed, and a is there/,
    },
  },
  {
    ...ofGate('copy without its claim destroyed', 'I5'),
    caught: {
      case: 'a hand-over dies between copy and claim, and the pull request is closed',
      says: /^I5: x is the branch’s still, and the destroy of the pull request has deleted it/,
    },
  },
  {
    ...ofGate('claim swapped before the copy', 'I8'),
    caught: {
      case: 'a hand-over dies after its first write, and both scopes are destroyed, the old one first',
      says: /^I8: both scopes are destroyed, and x is there/,
    },
  },
  {
    name: 'found without our mark is ours',
    edits: [
      {
        file: 'shared/engine/judge.ts',
        anchor: 'return live.createdAt >= Math.floor(intent.begunAt / 1000) * 1000;',
        replacement: 'return true;',
      },
    ],
    breaks: 'I5',
    caught: {
      case: 'somebody makes the thing between a line’s look and its intent, and the line dies before it sends anything',
      says: /^I5: run \w+ sent DELETE for a \(id-1-\), which is not ours/,
    },
  },
  {
    ...ofGate('previous value captured after the write', 'I2'),
    caught: {
      case: 'a line writes over what it takes over, and dies before it records that',
      says: /^I2: what was there before held first, and the destroy left ours/,
    },
  },
  {
    name: 'previous receipt taken from the head',
    edits: [
      { file: 'shared/receipts/chain.ts', anchor: 'previous: top ? digestOf(top.body) : null };', replacement: 'previous: await fromHead(world, at.scope) };' },
      {
        file: 'shared/receipts/chain.ts',
        anchor: '/** A settle that was cut off left',
        replacement:
          "async function fromHead(world: LeaseWorld & { objects: Objects }, scope: string): Promise<string | null> {\n  const key = (await world.table.get({ pk: `SCOPE#${scope}`, sk: 'HEAD' }))?.['receiptDigest'];\n  return typeof key === 'string' ? key : null;\n}\n\n/** A settle that was cut off left",
      },
    ],
    breaks: 'I6',
    caught: { story: 'update', says: /^I6: version 1 of \S+ does not name the one before it/ },
  },
  {
    name: 'notes written with the head',
    edits: [
      {
        file: 'shared/ledger/head.ts',
        anchor: 'set: { ...next, fence: tenure.fence, version: writeId }, remove })',
        replacement:
          "set: { ...next, fence: tenure.fence, version: writeId, ...(before.notes.length > 0 ? { notes: new Set(before.notes) } : {}) }, remove: before.notes.length > 0 ? remove : [...remove, 'notes'] })",
      },
    ],
    breaks: 'I11',
    caught: {
      case: 'a deployment is noted between the look at the notes and the end of its run',
      says: /^I11: the deployment is ready, and the line that waits for it was never made/,
    },
  },
  ofGate('external job not stopped at a takeover', 'I9'),
];
