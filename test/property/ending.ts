/** How every story ends: the faults stop, everything comes to rest, an apply succeeds or says why, a second one writes nothing, a destroy leaves nothing. */
import type { Run } from '../../shared/run/items.ts';
import { quiet, thaw } from './delivery.ts';
import { thingById } from './house.ts';
import { close } from './moves.ts';
import { always } from './oracles/always.ts';
import { notAsPlanned } from './oracles/as-planned.ts';
import { differing, worldOf } from './oracles/world.ts';
import { keptNames, strangerValue } from './plan.ts';
import { reportsOf } from './report.ts';
import { again, answer, asking, closePull, command, isOpen, makeOutside, newestRun, otherPull, release, reopenPull, runsOf, type Stage } from './stage.ts';

/** A property that does not hold, in sentences. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

const refuse = (sentences: readonly string[]): void => {
  if (sentences.length > 0) throw new Broken(sentences.slice(0, 12).join('\n'));
};

/** No fault is left, and whatever stood still goes on. */
async function faultsStop(stage: Stage): Promise<void> {
  const { bench } = stage;
  bench.fates.plan(Number.MAX_SAFE_INTEGER, 'before');
  bench.provider.faults.clear();
  stage.held.clear();
  await thaw(stage);
}

/** How often the schedule may come until nothing moves any more. */
const sweeps = 8;

/** Delivers and sweeps until nothing is due, and judges. */
async function rest(stage: Stage): Promise<void> {
  const { bench } = stage;
  await quiet(stage);
  for (let times = 0; times < sweeps && (times === 0 || isMoving(stage)); times += 1) {
    bench.clock.advance(20 * 60_000);
    await bench.sweepOnce();
    await quiet(stage);
  }
  refuse(always.flatMap((oracle) => oracle(stage)));
}

const isMoving = ({ bench }: Stage): boolean =>
  runsOf(bench).some((run) => !['done', 'waiting', 'awaiting'].includes(run.phase) || (run.resumeAt !== undefined && run.outcome === 'failed'));

export async function end(stage: Stage): Promise<void> {
  await faultsStop(stage);
  if (stage.story.closedAtOnce && isOpen(stage) && !hasCommand(stage)) {
    await close(stage);
    await destroyed(stage);
  }
  await rest(stage);
  if (stage.story.where === 'protected') return endProtected(stage);
  if (stage.commits === 0) return;
  await reopenPull(stage);
  await applied(stage, () => again(stage));
  await secondApply(stage);
  await replay(stage);
  await destroyed(stage);
}

/** A person's run that is not over: it is theirs, whatever becomes of the pull request. */
const hasCommand = ({ bench }: Stage): boolean => runsOf(bench).some((run) => run.intent === 'apply' && run.phase !== 'done');

async function endProtected(stage: Stage): Promise<void> {
  await applied(stage, () => release(stage));
  await secondApply(stage);
  await replay(stage);
}

/** Runs to the end, its questions approved and its deployment finished. */
async function runOut(stage: Stage, start: () => Promise<unknown>): Promise<Run> {
  stage.bench.clock.advance(10_000);
  await start();
  for (let times = 0; times < 6; times += 1) {
    await rest(stage);
    const waiting = runsOf(stage.bench).filter((run) => run.phase === 'waiting');
    if (asking(stage)) await answer(stage, 'approve');
    else if (waiting.length > 0) await stage.bench.deployed(stage.commit, 'success');
    else break;
  }
  return newestRun(stage) as Run;
}

/** An apply that succeeds, or says why it does not: then what it names is set right as it says, and it succeeds. */
async function applied(stage: Stage, start: () => Promise<unknown>): Promise<void> {
  let run = await runOut(stage, start);
  const told: string[] = [];
  for (let times = 0; times < 4 && run.outcome !== 'complete'; times += 1) {
    const codes = codesOf(stage, run);
    told.push(`${run.id} ${run.outcome}: ${codes.join(', ')}`);
    run = await runOut(stage, () => setRight(stage, codes, start));
  }
  if (run.outcome !== 'complete')
    refuse([
      `final apply: no way on: ${told.join(' | ')} | ${run.outcome}: ${codesOf(stage, run).join(', ')} ${JSON.stringify(reportsOf(stage.bench, run.id).at(-1))}`,
    ]);
  refuse(notAsPlanned(stage));
}

/** Why a run did not do what it was to do. */
function codesOf({ bench }: Stage, run: Run): string[] {
  const report = reportsOf(bench, run.id).at(-1);
  const problems = [report?.problem, ...(report?.lines.map((line) => line.problem) ?? [])];
  return [...new Set(problems.flatMap((problem) => problem?.code ?? []))];
}

/** What a person does about a refusal. */
async function setRight(stage: Stage, codes: readonly string[], start: () => Promise<unknown>): Promise<void> {
  const { bench } = stage;
  if (codes.includes('OWNED_BY_OTHER_SCOPE')) {
    await closePull(stage, otherPull);
    await quiet(stage);
  }
  if (codes.includes('ADOPT_REQUIRED')) {
    for (const thing of bench.provider.things()) if (!stage.ours.has(thing.id)) bench.provider.remove(thing.name, thing.place);
  }
  if (codes.includes('PARAM_INVALID')) for (const name of keptNames(stage.plan)) if (!bench.provider.find(name)) makeOutside(stage, name, strangerValue);
  if (codes.includes('EXTERNAL_FAILED')) await bench.deployed(stage.commit, 'success');
  if (codes.includes('DRIFT_CHANGED')) return void (await command(stage, 'apply', true));
  await start();
}

/** I3: in a world that has not changed a second apply sends nothing. */
async function secondApply(stage: Stage): Promise<void> {
  const before = stage.sent.length;
  const run = await runOut(stage, () => again(stage));
  const more = stage.sent.slice(before).map((one) => `I3: a second apply sent ${one.method} ${one.name}=${one.value}`);
  refuse(run.outcome === 'complete' ? more : [...more, `I3: a second apply ended ${run.outcome}: ${codesOf(stage, run)}`]);
}

/** I10: whatever was delivered comes again, twice the last of it, and changes nothing. */
async function replay(stage: Stage): Promise<void> {
  const before = worldOf(stage);
  const messages = stage.delivered.filter((_, at) => at % Math.ceil(stage.delivered.length / 60) === 0);
  for (const message of [...messages, ...stage.delivered.slice(-10)]) stage.bench.queues.deliver({ ...message });
  await rest(stage);
  refuse(differing(before, worldOf(stage)).map((part) => `I10: ${part} changed when messages came again`));
}

/** I8: after a destroy nothing is there that we made and nobody moved, and nothing is managed. */
async function destroyed(stage: Stage): Promise<void> {
  const { bench } = stage;
  if (isOpen(stage, otherPull)) await runOut(stage, () => closePull(stage, otherPull));
  const run = await runOut(stage, () => closePull(stage));
  refuse(run.outcome === 'complete' ? [] : [`I8: the destroy ended ${run.outcome}: ${codesOf(stage, run).join(', ')}`]);
  const left = [...stage.ours].flatMap((id) => thingById(bench, id) ?? []).filter(({ id }) => !stage.moved.has(id));
  const managed = bench.memory.items((item) => item.sk.startsWith('LEDGER#') && (item['entries'] as unknown[]).length > 0);
  refuse([
    ...left.map((thing) => `I8: ${thing.name} (${thing.id}) that we made has survived the destroy`),
    ...managed.map((item) => `I8: ${item.pk} ${item.sk} still manages something`),
  ]);
  await replay(stage);
}
