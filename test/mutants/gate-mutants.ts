import type { Edit } from './mutants.ts';

/** The gate with one of its safeguards taken out, and the test that must fail of it: its file, and its name as it is reported. */
export interface GateMutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Rule of the protocol or invariant that it breaks. */
  readonly breaks: string;
  readonly test: { readonly file: string; readonly title: string };
}

const gate = 'shared/guard/gate.test.ts';
const people = 'shared/guard/who-decides.test.ts';
const arrivals = 'shared/guard/arrivals.test.ts';
const decisions = 'shared/approvals/decision.test.ts';
const adoption = 'shared/engine/adopt.test.ts';
const acceptance = 'shared/rulings/ruling.test.ts';
const succession = 'shared/succession/take-over.test.ts';

const removal = 'shared/guard/removal.test.ts';
const toolJobs = 'shared/stacks/tool-job.test.ts';

const judging = 'shared/approvals/judge-decisions.ts';

export const gateMutants: readonly GateMutant[] = [
  {
    name: 'guard skips the state digest',
    edits: [{ file: 'shared/guard/guard.ts', anchor: 'if (!stateHolds(', replacement: 'if (run === undefined && !stateHolds(' }],
    breaks: 'P7, the state digest; I12',
    test: { file: gate, title: 'the ledger moved between plan and guard: plan.stale, planned again, asked again under a new digest (I12)' },
  },
  {
    name: 'effects not compared before the write',
    edits: [
      {
        file: 'shared/approvals/effect.ts',
        anchor: 'return fresh.every((effect) => {',
        replacement: 'if (left) return true;\n  return fresh.every((effect) => {',
      },
    ],
    breaks: 'P7, effects among the approved ones; I7',
    test: { file: gate, title: 'an edit that leaves the line something else to do asks again, and shows what is left' },
  },
  {
    name: 'anybody decides',
    edits: [{ file: judging, anchor: 'if (maintains.has(permissions.get(name.toLowerCase()))) return', replacement: 'if (maintains && permissions) return' }],
    breaks: 'I7, who may decide',
    test: { file: people, title: 'somebody with write approves nothing, and the run says why once' },
  },
  {
    name: 'a machine decides anywhere',
    edits: [{ file: judging, anchor: "if (electorate.stack === 'embedded') return", replacement: 'if (electorate.stack) return' }],
    breaks: 'I7, who may decide',
    test: { file: people, title: 'a name at a machine approves nothing, and the run says why once' },
  },
  {
    name: 'mapping not looked at',
    edits: [{ file: judging, anchor: 'if (known.toLowerCase() !== name.toLowerCase()) return', replacement: 'if (known === principal) return' }],
    breaks: 'I7, who may decide',
    test: { file: 'shared/approvals/judge-decisions.test.ts', title: 'a principal that policy maps to somebody else now' },
  },
  {
    name: 'own runs approved',
    edits: [{ file: judging, anchor: 'among(electorate.own, person.name)) {', replacement: 'among([], person.name)) {' }],
    breaks: 'I7, who may decide',
    test: { file: people, title: 'nobody approves what they wrote or started, whatever their role; they may withdraw it' },
  },
  {
    name: 'one approval is enough',
    edits: [{ file: judging, anchor: 'return by.length >= required && by.length > 0', replacement: 'return by.length > 0' }],
    breaks: 'I7, who may decide',
    test: { file: people, title: 'one of two is shown and the run stays parked; the second lets it go on, and the receipt names both' },
  },
  {
    name: 'answers counted, not people',
    edits: [
      {
        file: judging,
        anchor: 'approving.map(({ name }) => [name.toLowerCase(), name])',
        replacement: 'approving.map(({ name, through }) => [name + through, name])',
      },
    ],
    breaks: 'I7, who may decide',
    test: { file: 'shared/approvals/judge-decisions.test.ts', title: 'a person is counted once, whatever they answered through' },
  },
  {
    name: 'the guard does not look for a freeze',
    edits: [{ file: 'shared/guard/honour.ts', anchor: '|| (await frozen(world, { ...run, protects }))', replacement: '' }],
    breaks: 'P7, the guard: freeze',
    test: { file: 'shared/freeze/freeze.test.ts', title: 'a freeze that comes between the decision and the guard is heeded, and nothing goes round' },
  },
  {
    name: 'what is honoured and not let go yet is frozen by nobody',
    edits: [
      {
        file: 'shared/guard/honour.ts',
        anchor: 'if (await frozen(world, { ...run, protects })) return back',
        replacement: 'if (known === run.honoured && !known) return back',
      },
    ],
    breaks: 'P7, the guard: freeze; I7',
    test: {
      file: 'shared/guard/frozen-meanwhile.test.ts',
      title: 'nothing is written before the freeze is over, the same question is open, and the approval that stands lets it go on (P7, I7)',
    },
  },
  {
    name: 'a mark that came to nothing stays',
    edits: [
      {
        file: 'shared/run/tend-question.ts',
        anchor: 'await freeAnswers(world, { q, digest, run: run.id }, run.step?.attempt ?? 0);',
        replacement: 'void freeAnswers;',
      },
    ],
    breaks: 'P7, a decision can be withdrawn until it is honoured',
    test: {
      file: 'shared/guard/right-ends.test.ts',
      title: 'of one of two answers while the guard makes sure of both leaves the other as it was: theirs to take back, or to change',
    },
  },
  {
    name: 'the run’s own environment alone has a say',
    edits: [{ file: 'shared/approvals/electorate.ts', anchor: 'run.protects ?? [run.environment], people)', replacement: '[run.environment], people)' }],
    breaks: 'I7, who may decide',
    test: { file: people, title: 'a preview run whose line writes production asks production’s approvers' },
  },
  {
    name: 'guard does not judge decisions',
    edits: [
      {
        file: 'shared/guard/honour.ts',
        anchor: 'if (verdict === undefined || (await frozen(',
        replacement: 'if (verdict === world || (await frozen(',
      },
    ],
    breaks: 'P7, judged by the guard, under the lease; I7',
    test: { file: people, title: 'one who loses the role before the guard judges has approved nothing: the same question stays open, and nothing goes round' },
  },
  {
    name: 'guard does not look for rejections',
    edits: [
      { file: 'shared/guard/honour.ts', anchor: "if (verdict === 'reject') return end", replacement: 'if (verdict === world) return end' },
      {
        file: 'shared/guard/honour.ts',
        anchor: "if (!answers.some(({ verdict }) => verdict === 'reject')) return false;",
        replacement: 'if (answers.length >= 0) return false;',
      },
    ],
    breaks: 'P7, a decision can be withdrawn until it is honoured',
    test: { file: arrivals, title: 'an approval that its giver takes back ends it too' },
  },
  {
    name: 'decision keyed by digest and person only',
    edits: [{ file: 'shared/table/keys.ts', anchor: '`DECISION#${run}#${q}#`', replacement: '`DECISION#${run === undefined}#${q === undefined}#`' }],
    breaks: 'P7, the key of a decision',
    test: { file: decisions, title: 'a decision belongs to one question: another run has none' },
  },
  {
    name: 'decision keyed by run only',
    edits: [{ file: 'shared/table/keys.ts', anchor: '`DECISION#${run}#${q}#`', replacement: '`DECISION#${run}#${q === undefined}#`' }],
    breaks: 'P7, the key of a decision',
    test: { file: decisions, title: 'a decision belongs to one question: another number of the question has none' },
  },
  {
    name: 'older token stored over a newer one',
    edits: [{ file: 'shared/approvals/question.ts', anchor: 'all(present, older))', replacement: 'any(present, older))' }],
    breaks: 'P7, the order of tokens',
    test: { file: 'shared/approvals/question.test.ts', title: 'a token of an earlier entry takes no later one’s place (P7)' },
  },
  {
    name: 'parked step ignores stopping',
    edits: [
      {
        file: 'shared/run/tend-question.ts',
        anchor: 'if (asked.stopping) return endAsked(',
        replacement: 'if (asked === undefined && asked.stopping) return endAsked(',
      },
    ],
    breaks: 'P7, then looks for decisions and for stopping',
    test: { file: 'shared/guard/endings.test.ts', title: 'in awaiting leaves it, and ends failed with a receipt; dying twice, too' },
  },
  {
    name: 'claim swapped before the copy',
    edits: [
      {
        file: 'shared/succession/hand-over.ts',
        anchor: '  if (!(await copyInto(job, old, going))) return 0;\n  for (const one of going) await swap(job, one, old.line);',
        replacement: '  for (const one of going) await swap(job, one, old.line);\n  if (!(await copyInto(job, old, going))) return 0;',
      },
    ],
    breaks: 'P4, succession: copy, claim swap, delete',
    test: { file: succession, title: 'leaves every resource exactly one owner at each of its writes (R1.97)' },
  },
  {
    name: 'hand-over after the deadline',
    edits: [
      {
        file: 'shared/succession/take-over.ts',
        anchor: 'deadline(world.clock, run.step?.until ?? 0, to.tenure.deadline, from.tenure.deadline)',
        replacement: 'deadline(world.clock, Number.MAX_SAFE_INTEGER)',
      },
    ],
    breaks: 'P4, succession within both deadlines; P1.2',
    test: { file: succession, title: 'starts no step that could end after one of the two leases' },
  },
  {
    name: 'copy without its claim destroyed',
    edits: [{ file: 'shared/engine/undo-line.ts', anchor: 'const isCopy = claim?.scope !== scope ||', replacement: 'const isCopy = claim === undefined ||' }],
    breaks: 'P4, an entry without its claim is a copy; I5',
    test: { file: succession, title: 'that died between copy and claim leaves a copy, which a destroy forgets and does not delete' },
  },
  {
    name: 'previous value captured after the write',
    edits: [
      {
        file: 'shared/engine/begin-writes.ts',
        anchor: 'const original = originalToKeep(job, inspection, resource);',
        replacement: 'const original = undefined as ReturnType<typeof originalToKeep>;',
      },
      {
        file: 'shared/engine/apply-line.ts',
        anchor: '  const made = inspection.resources.flatMap((resource) => {',
        replacement:
          "  const { originalToKeep } = await import('./original.ts');\n  const again = { reading: await job.op.read(job.params, job.call) };\n  const made = inspection.resources.flatMap((resource) => {",
      },
      {
        file: 'shared/engine/apply-line.ts',
        anchor: 'const entry = entryFor(job, resource, now, makerOf(resource), job.tenure.fence);',
        replacement:
          'const original = originalToKeep(job, again, resource);\n    const entry = { ...entryFor(job, resource, now, makerOf(resource), job.tenure.fence), ...(original ? { original } : {}) };',
      },
    ],
    breaks: 'P4, Overwrite; R1.69',
    test: { file: adoption, title: 'gets its first value back from a destroy, however often it was updated since (R1.69)' },
  },
  {
    name: 'the first capture gives way to a later one',
    edits: [
      {
        file: 'shared/engine/original.ts',
        anchor: 'if (standing.entry?.original?.id === live.id) return standing.entry.original;',
        replacement: 'if (standing === undefined) return undefined;',
      },
    ],
    breaks: 'P4, Overwrite',
    test: { file: adoption, title: 'gets its first value back from a destroy, however often it was updated since (R1.69)' },
  },
  {
    name: 'a first value put back over anything',
    edits: [{ file: 'shared/engine/give-back.ts', anchor: 'if (original.id !== live.id || !isOurs(entry, found)) return', replacement: 'if (!isOurs) return' }],
    breaks: 'P4, Overwrite; I5',
    test: { file: adoption, title: 'and keeps what somebody made of it since, which is named' },
  },
  {
    name: 'a lift of anything',
    edits: [
      {
        file: 'shared/rulings/lift.ts',
        anchor: 'return found.some((one) => one.identity === identity &&',
        replacement: 'return found.some((one) => one.identity !== identity ||',
      },
    ],
    breaks: 'a lift is of what was shown',
    test: { file: acceptance, title: 'lets the run that was made for it take over what was shown, and nothing else (R1.77)' },
  },
  {
    name: 'an acceptance without an end',
    edits: [
      {
        file: 'shared/rulings/ruling.ts',
        anchor: 'until === undefined || clock.now() + timing.skew < Date.parse(until);',
        replacement: 'until !== null || clock.now() + timing.skew < 0;',
      },
    ],
    breaks: 'an acceptance holds until its date',
    test: { file: acceptance, title: 'ends by our clock, on the safe side of one that is off' },
  },
  {
    name: 'no recheck',
    edits: [{ file: 'shared/guard/recheck.ts', anchor: 'return decisions.length > 0 && !done &&', replacement: 'return decisions.length < 0 && !done &&' }],
    breaks: 'R4.4; I12',
    test: {
      file: 'shared/guard/recheck.test.ts',
      title:
        'what it would do differs: it stops before anything is applied, the record is whole at once, and the fresh plan is what is asked about (R4.4, R4.12, R4.20)',
    },
  },
  {
    name: 'an answer that was taken back is honoured',
    edits: [
      {
        file: 'shared/approvals/decision.ts',
        anchor: "const stands = all(present, equal('verdict', one.verdict), lacks('withdrawn'));",
        replacement: "const stands = all(present, equal('verdict', one.verdict));",
      },
    ],
    breaks: 'P7, a decision can be withdrawn until it is honoured; I7',
    test: {
      file: 'shared/guard/right-ends.test.ts',
      title: 'right before the guard honours the answer is in time: the run goes back to its question',
    },
  },
  {
    name: 'an honoured answer is taken back',
    edits: [
      {
        file: 'shared/approvals/decision.ts',
        anchor: "const free = all(present, lacks('honoured'), lacks('withdrawn'));",
        replacement: "const free = all(present, lacks('withdrawn'));",
      },
    ],
    breaks: 'P7, afterwards only cancel stops the run',
    test: { file: 'shared/guard/right-ends.test.ts', title: 'after the guard has honoured it is too late, and says what stops the run' },
  },
  {
    name: 'a removal begins before it has looked at all of its line',
    edits: [{ file: 'shared/engine/undo-job.ts', anchor: 'if (mayWrite && !mayWrite(...', replacement: 'if (mayWrite && rollingBack && !mayWrite(...' }],
    breaks: 'I7, a line that finds its effects moved writes nothing',
    test: { file: removal, title: 'one resource of a line: nothing of the line goes, what went before stays gone, and rejected, the rest stays managed' },
  },
  {
    name: 'a delete is not held against what was approved',
    edits: [{ file: 'shared/engine/undo-line.ts', anchor: 'if (found && !holding.mayWrite(', replacement: 'if (found && isDeed(entry) && !holding.mayWrite(' }],
    breaks: 'I7, what is deleted is what was approved',
    test: { file: removal, title: 'a resource between the look at its line and its own delete: it stays' },
  },
  {
    name: 'a stored plan is not hashed again',
    edits: [{ file: 'shared/approvals/plan-document.ts', anchor: 'if (sha256(stored.body) !== digest)', replacement: 'if (stored.body.length === 0)' }],
    breaks: 'I7, nothing is applied but what the digest stands for',
    test: { file: 'shared/approvals/plan-document.test.ts', title: 'is refused when it is gone, has other bytes, or is of another plan file (I7)' },
  },
  {
    name: 'lines of a plan stand as the table lists them',
    edits: [{ file: 'shared/run/assemble-plan.ts', anchor: '.sort((a, b) => (a.id < b.id ? -1 : 1))', replacement: '' }],
    breaks: 'issue 6, two runs over the same world give the same bytes',
    test: {
      file: 'shared/run/assemble-plan.test.ts',
      title: 'two runs over the same world make the same bytes, whatever the order of lines, table and provider, the time, the attempts and the ids',
    },
  },
  {
    name: 'a removal that is asked about ends a release that asks',
    edits: [{ file: 'shared/run/open-runs.ts', anchor: '!isRemoval(newer.kind) || newer', replacement: 'isRemoval(newer.kind) || newer' }],
    breaks: 'design 5, a question is superseded by what takes its place',
    test: { file: removal, title: 'a removal that somebody asked for ends no release that asks, and a later one of the same kind takes its place' },
  },
  {
    name: 'external job not stopped at a takeover',
    edits: [{ file: 'shared/lease/seal.ts', anchor: 'isOpen(record) && record.run !== run', replacement: 'isOpen(record) && record.run === `${run}?`' }],
    breaks: 'P9, sealing; I9',
    test: { file: toolJobs, title: 'asks it to end, stops it, waits for its end, notes what it did, and only then has the lease sealed (I9)' },
  },
  {
    name: 'external job stopped and not waited for at a takeover',
    edits: [{ file: 'shared/stacks/end-recorded.ts', anchor: 'if (longest > 0) throw', replacement: 'if (longest > 1000) throw' }],
    breaks: 'P9, sealing; I9',
    test: { file: toolJobs, title: 'asks it to end, stops it, waits for its end, notes what it did, and only then has the lease sealed (I9)' },
  },
  {
    name: 'input left open to a worker that stood still',
    edits: [{ file: 'shared/stacks/end-job.ts', anchor: "await closeLetter(end, record, 'input');", replacement: 'void closeLetter;' }],
    breaks: 'P9, the mailbox; I9',
    test: {
      file: toolJobs,
      title: 'nor for one that has not had its work: a worker that stood still right before it handed it over hands it to nobody',
    },
  },
  {
    name: 'a job is started before it is written down',
    edits: [
      {
        file: 'shared/stacks/tool-job.ts',
        anchor: 'return start(world, await place.save(record), record, request);',
        replacement: 'return start(world, place, record, request);',
      },
    ],
    breaks: 'P9, the record',
    test: { file: toolJobs, title: 'need not wait for one that was never started: a start that comes later finds its hello closed' },
  },
  {
    name: 'a repeated job runs anew once its answer is written down',
    edits: [
      {
        file: 'shared/stacks/tool-job.ts',
        anchor: 'if (found && isOfThisWork(found, place)) return',
        replacement: 'if (isOpen(found) && isOfThisWork(found, place)) return',
      },
    ],
    breaks: 'P9, the record; P1.5',
    test: { file: toolJobs, title: 'that is asked for again after its answer was written down gives the same answer and starts nothing' },
  },
];
