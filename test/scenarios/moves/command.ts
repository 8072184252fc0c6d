/** What somebody types, parsed by the product's own parser and carried out as `--stack` does, or as on a person's machine. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Said } from '../../../events/said.ts';
import type { Answer } from '../../../functions/cli/answer.ts';
import { parseCommandLine } from '../../../functions/cli/command-line.ts';
import { absorbAnswer, absorbInto } from '../../../functions/cli/commands/absorb.ts';
import { answered, answerOfVerdict, type Give } from '../../../functions/cli/commands/answered.ts';
import { answerOfCancel } from '../../../functions/cli/commands/cancel.ts';
import { freezeAnswer, freezeSaid } from '../../../functions/cli/commands/freeze.ts';
import { initCommand } from '../../../functions/cli/commands/init.ts';
import { log } from '../../../functions/cli/commands/log.ts';
import { diffPlans, showPlan } from '../../../functions/cli/commands/plans.ts';
import { receiptOfRun } from '../../../functions/cli/commands/receipt.ts';
import { runAnswer } from '../../../functions/cli/commands/run-answer.ts';
import { runs } from '../../../functions/cli/commands/runs.ts';
import { show } from '../../../functions/cli/commands/show.ts';
import { validate } from '../../../functions/cli/commands/validate.ts';
import type { View } from '../../../functions/cli/commands/view.ts';
import { answerOfWithdrawal } from '../../../functions/cli/commands/withdraw.ts';
import { words } from '../../../functions/cli/commands/words.ts';
import type { Store } from '../../../functions/cli/folder/store.ts';
import { type Invocation, type RunCommand, saidOf } from '../../../functions/cli/invocation.ts';
import { ledgerOptions, worksFromLedger } from '../../../functions/cli/ledger-command.ts';
import { rests } from '../../../functions/cli/runs/await-run.ts';
import { planFacts } from '../../../functions/cli/runs/plan-facts.ts';
import { reportOfRun } from '../../../functions/cli/runs/run-report.ts';
import { type Asked, doneCommand, recordCommand, startedRun } from '../../../functions/cli/stack/command.ts';
import { typedFor } from '../../../functions/cli/stack/follow.ts';
import { untilHeard } from '../../../functions/cli/stack/verdict.ts';
import type { Typed } from '../../../functions/cli/typed.ts';
import { decide } from '../../../shared/approvals/decision.ts';
import { codes } from '../../../shared/errors/codes.ts';
import { problemOf } from '../../../shared/errors/error.ts';
import { readFreeze } from '../../../shared/freeze/freeze.ts';
import { sayFreeze } from '../../../shared/freeze/say-freeze.ts';
import { scopeName } from '../../../shared/plan/scope.ts';
import { notAPerson } from '../../../shared/policy/not-a-person.ts';
import { personBehind } from '../../../shared/policy/policy.ts';
import { policyFrom } from '../../../shared/policy/read.ts';
import { confirmStep, findStep } from '../../../shared/rulings/confirm-line.ts';
import { sayBefore } from '../../../shared/rulings/lift.ts';
import { optionsOfSaid } from '../../../shared/rulings/rule-line.ts';
import { rulingOfSaid } from '../../../shared/rulings/said.ts';
import { cancelRun } from '../../../shared/run/cancel.ts';
import { createRun, runIdOf } from '../../../shared/run/create-run.ts';
import { findRun } from '../../../shared/run/find-run.ts';
import type { Run } from '../../../shared/run/items.ts';
import { loadPolicy } from '../../../shared/run/load-policy.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { retryRun } from '../../../shared/run/retry.ts';
import { undoRun } from '../../../shared/run/undo.ts';
import { withdrawAnswer } from '../../../shared/run/withdraw-answer.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import { scopeKey, scopePath } from '../../../shared/table/keys.ts';
import { demo } from '../../sim/seed.ts';
import { move } from '../move.ts';
import type { Step } from '../scenario.ts';
import { askedDigests, type Outcome, planPath, principalOf, type Stage, settle } from '../stage.ts';
import { driftIngest, driftRead } from './drift-read.ts';

const stack = 'lockkeeper';
const repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
const aborted = AbortSignal.abort();
/** The flags that whatever is printed to be typed gets: those of the stack, or none on a machine. */
const typedOn = ({ scenario }: Stage): Typed =>
  scenario.host === 'machine' ? { sim: false, local: false, stateDir: '.lockkeeper' } : typedFor({ name: stack } as Parameters<typeof typedFor>[0]);
/** Nobody waits: everything has come to rest before anybody looks. */
const patience = { progress: { show: () => undefined, clear: () => undefined }, signal: aborted };

export const command = {
  /**
   * A command line without the program's name. `$digest` is the first twelve digits of the newest question's digest, `$digest1` of the first one's, `$run` the newest
   * run, `$commit1` the first commit that a step made. `--branch`, `--sha`, `--pr` and `--env` not given are those of the pull request at hand, and `preview`.
   */
  command: move(z.string(), async (stage, line, step) => {
    try {
      const answer = await perform(stage, invocationOf(stage, line), step);
      const text = answer.text({ paint: painter(false), colour: false, width: 100 });
      stage.printed.push(text, JSON.stringify(answer.document));
      return { answer, exit: answer.exit, ...(answer.problem ? { problem: answer.problem } : {}) };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'INTERNAL') throw error;
      await settle(stage, step); // what it had queued before it stopped is delivered all the same
      stage.printed.push(`${problem.code} ${problem.message} ${problem.hint ?? ''}`);
      return { problem, exit: codes[problem.code].exit || 1 } satisfies Outcome;
    }
  }),
} as const;

function invocationOf(stage: Stage, line: string): Invocation {
  const newest = stage.house.runs().at(-1);
  const asking = stage.house.runs().findLast((run) => run.question !== undefined);
  const typed = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, whole, word]) => whole ?? word ?? '');
  const words = typed.map((word) =>
    word
      .replace(/\$digest(\d+)/, (_, number) => askedDigests(stage)[Number(number) - 1]?.slice(0, 12) ?? '')
      .replace('$digest', asking?.question?.digest.slice(0, 12) ?? '')
      .replace('$run', newest?.id ?? '')
      .replace(/\$commit(\d+)/, (_, number) => stage.commits[Number(number) - 1] ?? ''),
  );
  const parsed = parseCommandLine(words, 'scenario');
  if (!('invocation' in parsed)) throw new Error(`${line} prints a text and does nothing`);
  return parsed.invocation;
}

const storeOf = ({ house }: Stage): Store => house.world();

async function perform(stage: Stage, invocation: Invocation, step: Step): Promise<Answer> {
  const { command: name } = invocation;
  if (name === 'validate') return validated(stage, invocation);
  if (name === 'init') return begun(stage, invocation, step);
  if (name === 'absorb') return absorbed(stage, invocation, step);
  if (name === 'plan' || name === 'apply' || name === 'destroy' || name === 'prune' || name === 'recover')
    return start(stage, { ...invocation, command: name }, step);
  if (name === 'adopt' || name === 'accept' || name === 'reconcile' || name === 'recreate')
    return start(stage, { ...invocation, command: 'apply' }, step, saidOf(invocation, name));
  if (name === 'approve' || name === 'reject') return answer(stage, { ...invocation, command: name }, step);
  if (name === 'withdraw') return withdrawn(stage, invocation, step);
  if (name === 'cancel' || name === 'undo') return aboutRun(stage, { ...invocation, command: name }, step);
  if (name === 'retry') return again(stage, invocation, step);
  if (name === 'confirm') return confirmed(stage, invocation, step);
  if (name === 'freeze' || name === 'unfreeze') return frozen(stage, { ...invocation, command: name }, step);
  if (invocation.ingest !== undefined) return driftIngest(stage, invocation);
  if (name === 'drift') return driftRead(stage, invocation, whereabouts(stage, invocation), await personOf(stage, step, false), step);
  if (name === 'runs') return runs(viewOf(stage, invocation));
  if (name === 'log') return log(viewOf(stage, invocation));
  if (name === 'words') return words(viewOf(stage, invocation));
  if (name === 'diff') return diffPlans(viewOf(stage, invocation));
  if (name === 'show') return shown(stage, invocation);
  if (name === 'receipt' && invocation.run !== undefined) return receiptOfRun(viewOf(stage, invocation));
  throw new Error(`scenarios do not know the command ${name} yet: test/scenarios/moves/command.ts`);
}

const viewOf = (stage: Stage, invocation: Invocation): View => {
  const { run, digest, other } = invocation;
  return { store: storeOf(stage), repository, run, digest, other, typed: invocation };
};

/** A plan by its digest, else what is managed where somebody stands. */
function shown(stage: Stage, invocation: Invocation): Promise<Answer> {
  if (invocation.digest !== undefined) return showPlan(viewOf(stage, invocation));
  const { environment, branch, commit, pullRequest } = whereabouts(stage, invocation);
  const scope = scopeName({ pullRequest, branch, defaultBranch: repository.defaultBranch });
  const address = { repository: repository.id, plan: 'main', environment, scope };
  return show(
    storeOf(stage),
    { repository, folder: '', plan: 'main', environment, scope, branch, sha: commit, key: scopeKey(address), path: scopePath(address) },
    invocation,
  );
}

/** Judges the plan file and the policy as they lie in somebody's folder. */
function validated({ plan, house }: Stage, invocation: Invocation): Answer {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-scenario-'));
  try {
    const [repository] = house.sim.state().github.repositories;
    const policy = repository?.commits[repository.branches['main'] ?? '']?.files['lockkeeper.yaml'];
    if (plan !== 'none') writeFileSync(join(folder, planPath), plan);
    if (policy !== undefined) writeFileSync(join(folder, 'lockkeeper.yaml'), policy);
    return validate(invocation, { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the plan file in somebody's folder: the next push has it. */
async function begun(stage: Stage, invocation: Invocation, step: Step): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-scenario-'));
  const path = join(folder, planPath);
  try {
    if (stage.plan !== 'none') writeFileSync(path, stage.plan);
    const answer = await initCommand(invocation, { cwd: folder }, (plan) => start(stage, plan, step));
    if (!invocation.dryRun) stage.plan = readFileSync(path, 'utf8');
    stage.printed.push(stage.plan);
    return answer;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes what is live into the plan file in somebody's folder, which the next push has. */
async function absorbed(stage: Stage, invocation: Invocation, step: Step): Promise<Answer> {
  const planned = await start(stage, { ...invocation, command: 'plan' }, step);
  const { line = '', plan } = invocation;
  const { body, absorbed: values, left } = absorbInto(Buffer.from(stage.plan), plan, line, planned);
  stage.plan = body.toString('utf8');
  stage.printed.push(stage.plan);
  return absorbAnswer(invocation, { absorbed: values, left }, '');
}

/** What `git` says of the folder in which somebody types, with the flags over it. */
function whereabouts(stage: Stage, { env, pr, branch, sha }: Invocation) {
  const pull = stage.pulls.get(stage.on);
  const number = pr ?? (branch === undefined && pull?.number ? pull.number : undefined);
  const state = stage.house.sim.state().github.repositories[0];
  const on = branch ?? pull?.branch ?? 'main';
  return {
    environment: env ?? 'preview',
    branch: on,
    commit: sha ?? (branch === undefined ? pull?.sha : undefined) ?? state?.branches[on] ?? demo.mainCommit,
    ...(number === undefined ? {} : { pullRequest: number }),
  };
}

async function personOf(stage: Stage, step: Step, needed: boolean): Promise<Asked['person']> {
  const principal = principalOf(step.as ?? 'kim');
  const name = personBehind(policyFrom(fetched(stage)), principal);
  if (name === undefined && needed) throw notAPerson(principal);
  return { principal, ...(name === undefined ? {} : { name }) };
}

/** `lockkeeper.yaml` of the default branch, as a clone has it that fetches whenever it can. */
function fetched({ house }: Stage): string | undefined {
  const [place] = house.sim.state().github.repositories;
  return place?.commits[place.branches['main'] ?? '']?.files['lockkeeper.yaml'];
}

const recreated = ({ recreate }: Invocation) => (recreate ? { recreate: [...recreate] } : {});

async function start(stage: Stage, invocation: Invocation & { command: RunCommand }, step: Step, said?: Said): Promise<Answer> {
  const { command: intent, reconcile, plan: path } = invocation;
  const where = whereabouts(stage, invocation);
  const told = { ...ledgerOptions(invocation), ...recreated(invocation) };
  if (stage.scenario.host === 'machine') return startHere(stage, invocation, where, step, said);
  const person = await personOf(stage, step, intent !== 'plan');
  return asked(stage, { intent, owner: demo.owner, name: demo.repository, path, reconcile, ...told, person, ...where, ...(said ? { said } : {}) }, step);
}

/** Asks the stack, lets everything come to rest, and reads its answer. */
async function asked(stage: Stage, question: Asked, step: Step, about?: 'cancel' | 'undo'): Promise<Answer> {
  const id = await recordCommand(storeOf(stage), question);
  if (step.unheard) return unheard;
  await settle(stage, step);
  return answerOf(stage, await startedRun(storeOf(stage), id, patience), about);
}

async function startHere(
  stage: Stage,
  invocation: Invocation & { command: RunCommand },
  where: ReturnType<typeof whereabouts>,
  step: Step,
  said?: Said,
): Promise<Answer> {
  const { command: intent, reconcile, local } = invocation;
  const store = storeOf(stage);
  const { stack: beside } = await loadPolicy(stage.house.world(), repository);
  const object = `plans/${createHash('sha256').update(stage.plan).digest('hex')}.yaml`;
  if (!worksFromLedger(intent)) await store.objects.put(object, stage.plan, { ifAbsent: true });
  const { pullRequest, branch } = where;
  const scope = scopeName({ pullRequest, branch, defaultBranch: repository.defaultBranch });
  const plan = { name: 'main', path: planPath, ...(worksFromLedger(intent) ? {} : { object }) };
  const by = { name: step.as ?? 'kim', through: 'machine' } as const;
  const ruling = said && rulingOfSaid(said, by, new Date(store.clock.now()).toISOString());
  const begin = store.ids.fresh();
  const { environment } = where;
  if (ruling)
    await sayBefore(store, scopeKey({ repository: repository.id, plan: plan.name, environment, scope }), begin, runIdOf(begin, { plan, environment }), ruling);
  const options = { reconcile, busy: 'fail', ...ledgerOptions(invocation), ...recreated(invocation), ...(local && beside ? { beside } : {}) } as const;
  const id = await createRun(store, begin, {
    intent,
    repository,
    plan,
    scope,
    options: said ? optionsOfSaid(options, said) : options,
    ...where,
  });
  await settle(stage, step);
  return answerOf(stage, id);
}

async function answerOf(stage: Stage, id: string, about?: 'cancel' | 'undo'): Promise<Answer> {
  const run = await stage.house.run(id);
  if (!rests(run)) throw new Error(`run ${id} has not come to rest: it is ${run.phase}`);
  const report = await reportOfRun(storeOf(stage), run);
  return about === 'cancel' ? answerOfCancel(report, typedOn(stage)) : runAnswer(report, typedOn(stage), await planFacts(storeOf(stage), run));
}

/** What somebody typed, and nobody heard of yet. */
const unheard: Answer = { exit: 0, document: {}, text: () => '' };

const give: Give = async (store, run, question, given) => {
  const stands = await decide(store, { ...question, run: run.id }, { ...given, at: new Date(store.clock.now()).toISOString() });
  await queueStep(store, run);
  return stands;
};

async function answer(stage: Stage, invocation: Invocation & { command: 'approve' | 'reject' }, step: Step): Promise<Answer> {
  const here = stage.scenario.host === 'machine';
  const person = here
    ? ({ name: step.as ?? 'kim', through: 'machine' } as const)
    : ({ ...((await personOf(stage, step, true)) as { name: string; principal: string }), through: 'aws' } as const);
  const given = { verdict: invocation.command, person };
  const note = (text: string) => void stage.printed.push(text);
  const { run, q, digest } = await answered(storeOf(stage), repository.id, invocation.digest ?? '', given, note, give);
  if (step.unheard) return unheard;
  await settle(stage, step);
  const rested = (await stage.house.run(run.id)) satisfies Run;
  if (!here && rested.phase === 'awaiting' && rested.question?.q === q) {
    await untilHeard({ store: storeOf(stage), name: stack } as Parameters<typeof untilHeard>[0], { run: run.id, q, digest }, { person }, patience);
  }
  return answerOfVerdict(invocation.command, await reportOfRun(storeOf(stage), rested), typedOn(stage));
}

/** A stack judges who says it; on a machine it is whoever sits there. */
async function confirmed(stage: Stage, invocation: Invocation, step: Step): Promise<Answer> {
  const { line = '', plan: path } = invocation;
  const where = whereabouts(stage, invocation);
  if (stage.scenario.host !== 'machine') {
    const person = await personOf(stage, step, true);
    const said = { verb: 'confirm', line } as const;
    return asked(stage, { intent: 'apply', owner: demo.owner, name: demo.repository, path, reconcile: false, person, said, ...where }, step);
  }
  const store = storeOf(stage);
  const { environment, branch, pullRequest } = where;
  const name = scopeName({ pullRequest, branch, defaultBranch: repository.defaultBranch });
  const scope = scopeKey({ repository: repository.id, plan: 'main', environment, scope: name });
  const found = await findStep(store, scope, line);
  const word = { by: { name: step.as ?? 'kim', through: 'machine' as const }, start: store.ids.fresh(), at: new Date(store.clock.now()).toISOString() };
  if (!('done' in found)) await confirmStep(stage.house.world(), scope, found, word);
  await settle(stage, step);
  return answerOf(stage, 'done' in found ? found.run : found.run.id);
}

/** Says of an environment that it is frozen, or no longer: as `--stack` does, or as whoever sits at the machine. */
async function frozen(stage: Stage, invocation: Invocation & { command: 'freeze' | 'unfreeze' }, step: Step): Promise<Answer> {
  const store = storeOf(stage);
  const { command: intent, env: environment = '', plan: path } = invocation;
  const now = store.clock.now();
  const said = freezeSaid(invocation, now);
  const before = await readFreeze(store, repository.id, environment);
  if (stage.scenario.host === 'machine') {
    const policy = await loadPolicy(stage.house.world(), repository);
    const word = { by: { name: step.as ?? 'kim', through: 'machine' as const }, start: store.ids.fresh(), at: new Date(now).toISOString() };
    await sayFreeze(store, { policy, repository, environment }, said, word);
    await settle(stage, step);
  } else {
    const person = await personOf(stage, step, true);
    const { branch, commit } = whereabouts(stage, invocation);
    const question = { intent, owner: demo.owner, name: demo.repository, path, environment, branch, commit, reconcile: false, person } as const;
    const id = await recordCommand(store, said === 'thaw' ? question : { ...question, freeze: said });
    await settle(stage, step);
    await doneCommand(store, id, patience);
  }
  return freezeAnswer(environment, { made: await readFreeze(store, repository.id, environment), before }, typedOn(stage));
}

async function again(stage: Stage, invocation: Invocation, step: Step): Promise<Answer> {
  const found = await findRun(storeOf(stage), repository.id, invocation.run ?? '');
  if (stage.scenario.host === 'machine') {
    const id = await retryRun(storeOf(stage), { ...found, options: { ...found.options, busy: 'fail' } });
    await settle(stage, step);
    return answerOf(stage, id);
  }
  const person = await personOf(stage, step, true);
  const { id, plan, environment, branch, commit } = found;
  const question = { intent: 'retry', again: id, path: plan.path, environment, branch, commit, reconcile: false } as const;
  return asked(stage, { ...question, owner: demo.owner, name: demo.repository, person }, step);
}

/** A stack judges who stops or undoes a run; on a machine it is whoever sits there. */
async function aboutRun(stage: Stage, invocation: Invocation & { command: 'cancel' | 'undo' }, step: Step): Promise<Answer> {
  const { command: intent } = invocation;
  const store = storeOf(stage);
  const found = await findRun(store, repository.id, invocation.run ?? '');
  const { id: again, plan, environment, branch, commit } = found;
  if (stage.scenario.host === 'machine') {
    const id = intent === 'undo' ? await undoRun(store, found, { busy: 'fail' }) : again;
    if (intent === 'cancel') await cancelRun(store, found, { name: step.as ?? 'kim' });
    await settle(stage, step);
    return answerOf(stage, id, intent);
  }
  const person = await personOf(stage, step, true);
  const question = { intent, again, path: plan.path, environment, branch, commit, reconcile: false, owner: demo.owner, name: demo.repository, person } as const;
  return asked(stage, question, step, intent);
}

async function withdrawn(stage: Stage, { digest = '' }: Invocation, step: Step): Promise<Answer> {
  const here = stage.scenario.host === 'machine';
  const person = here
    ? ({ name: step.as ?? 'kim', through: 'machine' } as const)
    : ({ ...((await personOf(stage, step, true)) as { name: string; principal: string }), through: 'aws' } as const);
  const run = await withdrawAnswer(storeOf(stage), repository.id, digest, person);
  if (step.unheard) return unheard;
  await settle(stage, step);
  return answerOfWithdrawal(await reportOfRun(storeOf(stage), await stage.house.run(run.id)), typedOn(stage), person.name);
}
