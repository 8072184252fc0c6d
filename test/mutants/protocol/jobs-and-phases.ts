import type { Edit } from '../mutants.ts';
import type { ProtocolMutant } from './mutant.ts';

const store = 'shared/run/run-store.ts';
const working = 'shared/run/work-line.ts';
const phase = 'shared/run/phase.ts';
const entering = 'shared/run/enter-phase.ts';
const keys = 'shared/table/keys.ts';
const onAttempt = "const mine = all(equal('attempt', line.attempt), equal('round', line.round), equal('phase', line.phase));";

/** What the sweep and late messages do for lines that are over, and lie in a phase that is not. */
const tailsOfTheFinished: Edit = {
  file: 'shared/run/advance.ts',
  anchor: 'for (const line of finished.filter((one) => holding.has(one.spec.id))) await tail(world, run, line);',
  replacement: 'void tail;',
};

export const jobsAndPhases: readonly ProtocolMutant[] = [
  {
    name: 'until ignored',
    edits: [
      {
        file: store,
        anchor: "const unclaimed = any(lacks('until'), below('until', now - 2 * world.timing.skew));",
        replacement: "const unclaimed = any(lacks('until'), below('until', Number.MAX_SAFE_INTEGER));",
      },
    ],
    breaks: 'I9',
    caught: {
      case: 'a line is delivered again while its create is under way, and the pull request is closed meanwhile',
      says: /^I9: run \w+ sent POST a while \w+ had the lease/,
    },
  },
  {
    name: 'result not on attempt',
    edits: [{ file: store, anchor: onAttempt, replacement: "const mine = all(equal('round', line.round), equal('phase', line.phase));" }],
    breaks: 'I9',
    caught: {
      case: 'a worker writes the result of its line after its claim has run out, while the next attempt is at work',
      says: /^I9: run \w+ sent POST a while \w+ had the lease/,
    },
  },
  {
    // A result is of its phase, too: with that net, an attempt that begins at 1 again is no other one’s.
    name: 'attempt restarts with the phase',
    edits: [
      {
        file: entering,
        anchor: 'const change = { set: { spec, round, phase, until: 0, ...applied }, remove };',
        replacement: 'const change = { set: { spec, round, phase, attempt: 0, until: 0, ...applied }, remove };',
      },
      { file: store, anchor: onAttempt, replacement: "const mine = equal('attempt', line.attempt);" },
    ],
    breaks: 'I9',
    caught: {
      case: 'a worker of the apply writes its result while the rollback of its line is at work',
      says: /^I9: run \w+ sent DELETE a while \w+ had the lease/,
    },
  },
  {
    name: 'control step unclaimed',
    edits: [{ file: store, anchor: 'if (run.step && now <= free) throw new Again(', replacement: 'if (run.step && now < 0) throw new Again(' }],
    breaks: 'I9',
    caught: {
      case: 'two deliveries of one prepare: the first has ledger lines to make still when the pull request is closed',
      says: /^I9: run \w+ made LEDGER#b, and nobody has the lease/,
    },
  },
  {
    // Whoever finds open work left over repeats the tails of lines that are over: with that net, it costs minutes.
    name: 'tail not repeated',
    edits: [
      {
        file: working,
        anchor: 'if (claimed.result) return repeatTail(world, run, claimed, claimed.result);',
        replacement: 'if (claimed.result) return;',
      },
      tailsOfTheFinished,
    ],
    breaks: 'I11',
    caught: { case: 'a worker dies between the result of its line and what follows from it', says: /^I11: run \w+ rests in applying/ },
  },
  {
    // The same net, and the message of whoever died: here another worker has acknowledged it.
    name: 'set removal that upserts',
    edits: [
      {
        file: phase,
        anchor: 'const result = await write(world, key, { drop: { after: [line] } }, present);',
        replacement: "const result = await write(world, key, { drop: { after: [line] } }, { is: 'always' });",
      },
      tailsOfTheFinished,
    ],
    breaks: 'I11',
    caught: {
      case: 'a worker takes its line out of the set of a line that is over, and dies before it says so; its message was acknowledged by another',
      says: /^I11: run \w+ rests in applying/,
    },
  },
  {
    name: 'phase swap before the items',
    edits: [
      {
        file: entering,
        anchor: 'const next = await putItems(world, run, entering, start);',
        replacement:
          "const swapped = await swapPhase(world, run, phase, change);\n  if (!swapped) throw new Again('the run moved on meanwhile', 0);\n  const next = await putItems(world, { ...run, phase }, entering, start);",
      },
      {
        file: entering,
        anchor:
          "  const swapped = await swapPhase(world, run, phase, change);\n  if (!swapped) throw new Again('the run moved on meanwhile', 0);\n  if (entering",
        replacement: '  await queueStep(world, swapped);\n  if (entering',
      },
    ],
    breaks: 'I2',
    caught: {
      case: 'the step that begins the rollback dies right after the swap',
      says: /^I2: run \w+ failed and was rolled back, and \S+ \(a\) that it made is still there/,
    },
  },
  {
    name: 'round missing in the key',
    edits: [{ file: keys, anchor: '`OPEN#${round}#${phase}#`', replacement: '`OPEN#${round < 0}#${phase}#`' }],
    breaks: 'I9',
    caught: { case: 'a worker of one round is at its tail when its line is at work in the next', says: /^I9: run \w+ sent POST w while \w+ had the lease/ },
  },
  {
    name: 'phase missing in message or state',
    edits: [
      { file: working, anchor: 'at.round === message.round && at.phase === message.phase;', replacement: 'at.round === message.round;' },
      { file: entering, anchor: 'if (known.round === round && known.phase === phase) return;', replacement: 'if (known.round === round) return;' },
      { file: keys, anchor: '`OPEN#${round}#${phase}#`', replacement: '`OPEN#${round}#${phase.length < 0}#`' },
    ],
    breaks: 'I2',
    caught: {
      case: 'one line is made, another is refused, and what was made is taken back',
      says: /^I2: run \w+ failed and was rolled back, and \S+ \(a\) that it made is still there/,
    },
  },
  {
    // A message names no round, so it is given one first. The schedule wakes whatever stands still: that net goes, too.
    name: 'control message dropped by round',
    edits: [
      {
        file: 'events/control-message.ts',
        anchor: 'z.strictObject({ format: z.literal(1), ...wake });',
        replacement: 'z.strictObject({ format: z.literal(1), round: z.number().optional(), ...wake });',
      },
      {
        file: phase,
        anchor: 'await world.queues.control({ format: 1, run: run.id, group: run.repository.id }, delaySeconds);',
        replacement: 'await world.queues.control({ format: 1, run: run.id, round: run.round, group: run.repository.id }, delaySeconds);',
      },
      {
        file: 'shared/run/control-step.ts',
        anchor: 'return await advance(world, message.run, arrivalOf(message));',
        replacement:
          "if (message.round !== undefined && message.round !== item['round']) return;\n    return await advance(world, message.run, arrivalOf(message));",
      },
      { file: 'shared/run/sweep.ts', anchor: "(await wake('open', now - patience))", replacement: '0' },
    ],
    breaks: 'I11',
    caught: {
      case: 'the step that raises the round dies before it queues the next one, and its own message says the round before',
      says: /^I11: run \w+ rests in preparing/,
    },
  },
  {
    // The schedule looks for ready lines without a live claim: with that net, a lost message costs minutes.
    name: 'duplicate acknowledged under a live claim',
    edits: [
      {
        file: working,
        anchor: "if ('live' in answer) throw new Again(",
        replacement: "if ('live' in answer) return undefined;\n  if (answer === undefined) throw new Again(",
      },
      {
        file: 'shared/run/advance.ts',
        anchor: 'open.filter((work) => work.after.length === 0 && idle.has(work.line)).map((work) => work.line),',
        replacement: '[],',
      },
    ],
    breaks: 'I11',
    caught: { case: 'a message is delivered twice, whoever has the second goes, and whoever has the claim dies', says: /^I11: run \w+ rests in applying/ },
  },
  {
    name: 'state of a dependency not looked at',
    edits: [
      {
        file: 'shared/engine/inputs.ts',
        anchor: "const dead = found.find((needed) => !good.has(needed.result?.status ?? ''));",
        replacement: 'const dead = found.find(() => good.size === 0);',
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'the line that a waiting one needs is refused in a destroy, which stops nothing by itself',
      says: /^I8: the pull request is closed, and b can never be deleted/,
    },
  },
  {
    name: 'rollback reads stopping',
    edits: [
      {
        file: 'shared/engine/undo-job.ts',
        anchor: "const rollingBack = run.phase === 'rolling-back';",
        replacement: "const rollingBack = run.phase === 'rolling-back';\n  if (run.stopping) return { result: { ...nothing, status: 'skipped' } };",
      },
    ],
    breaks: 'I2',
    caught: {
      case: 'the last line of a chain is refused, and the rollback begins while the stop is still written down',
      says: /^I2: run \w+ failed and was rolled back, and \S+ \(a\) that it made is still there/,
    },
  },
  {
    name: 'rollback of one round only',
    edits: [
      {
        file: 'shared/ledger/made-by.ts',
        anchor: '(isIntent(entry) || entry.fence > reportedUpTo)',
        replacement: '(isIntent(entry) || entry.fence > reportedUpTo) && entry.fence >= (head?.fence ?? 0)',
      },
    ],
    breaks: 'I2',
    caught: {
      case: 'a line of the second round is refused: what the first one made is taken back, too',
      says: /^I2: run \w+ failed and was rolled back, and \S+ \(a\) that it made is still there/,
    },
  },
  {
    name: 'dead letter of a control step settles',
    edits: [
      {
        file: 'shared/run/dead-letter.ts',
        anchor: "return drained && (run.phase === 'rolling-back' || again) ? 'settling' : run.phase;",
        replacement: "return drained ? 'settling' : run.phase;",
      },
    ],
    breaks: 'I2',
    caught: { case: 'the step after the last line dies as often as its queue allows', says: /^I2: the run died and failed, and a,b is still there/ },
  },
  {
    name: 'event judged instead of the world',
    edits: [
      {
        file: 'shared/intake/pull-request.ts',
        anchor: 'await createRun(world, cause.start, runFor(cause, repository, at, { plan, environment, path: pathOf(policy, plan) }));',
        replacement:
          "await createRun(world, cause.start, { ...runFor(cause, repository, at, { plan, environment, path: pathOf(policy, plan) }), intent: 'destroy' });",
      },
      {
        file: 'shared/run/world-judgement.ts',
        anchor: 'if (run.pullRequest === undefined) return judgeTip(world, run);',
        replacement: "if (run.pullRequest === undefined) return judgeTip(world, run);\n  if (run.intent === 'follow') return { is: 'apply' };",
      },
    ],
    breaks: 'I8',
    caught: {
      case: 'a pull request is moved and closed, and the move is told after the close',
      says: /^I8: the pull request is closed, and its environment holds a=two/,
    },
  },
  {
    // A delayed message for the end of the lease, and the schedule, stay behind it: what breaks is the bound, not the end.
    name: 'try-then-register for waiters',
    edits: [
      {
        file: 'shared/lease/lease.ts',
        anchor: "const held = all(equal('fence', seen.fence), { is: 'attributeAbsent', attribute: 'released' });",
        replacement: 'const held = seen ? present : absent;',
      },
    ],
    breaks: 'I11',
    caught: {
      case: 'the lease is given back between a run’s try and its note that it waits',
      says: /^I11: the lease is free, and run \w+ waits for it in preparing/,
    },
  },
  {
    name: 'parent lock held by the run',
    edits: [{ file: 'shared/lease/parent-lock.ts', anchor: '`${run}#${line}#${attempt}`', replacement: '`${run}#${line === run}#${attempt < 0}`' }],
    breaks: 'I3',
    caught: {
      case: 'two lines of one run write parts of one object at once',
      says: /^I3: the run is over, and a second apply would write again what is gone from the list/,
    },
  },
];
