import type { Run } from '../../../shared/run/items.ts';
import type { Chapter } from './chapter.ts';
import { judgeEnding } from './ending.ts';
import { mark, writesSince } from './moves.ts';
import type { Page } from './page.ts';
import { prices } from './prices.ts';
import { between, dollarsOf, type Meter, sum } from './requests.ts';
import type { ChapterResult, Step, StoryResult } from './result.ts';
import type { Teller } from './teller.ts';
import { quiet, type StoryWorld } from './world.ts';

/** Plays the chapters one after another, up to the first that does not end as it should, and judges the end. */
export async function play(world: StoryWorld, chapters: readonly Chapter[], teller: Teller): Promise<StoryResult> {
  const started = performance.now();
  const results: ChapterResult[] = [];
  const untold: StoryResult['untold'][number][] = [];
  for (const [at, chapter] of chapters.entries()) {
    teller.chapter(at + 1, chapters.length, chapter.title);
    const why = await chapter.needs?.();
    if (why !== undefined) {
      untold.push({ name: chapter.name, title: chapter.title, why });
      teller.untold(why);
      continue;
    }
    const result = await playChapter(world, chapter, teller);
    results.push(result);
    if (!result.ok) break;
  }
  const failed = results.find((result) => !result.ok);
  const end = failed ? { proven: [], problem: `chapter “${failed.title}” (${failed.name}): ${failed.problem}` } : await ending(world);
  const aws = sum(results.map((result) => result.aws));
  return {
    format: 1,
    ok: end.problem === undefined,
    ...end,
    chapters: results,
    untold,
    total: { providerWrites: results.reduce((count, result) => count + result.providerWrites, 0), aws, seconds: secondsSince(started) },
    cost: { dollars: dollarsOf(aws), prices },
  };
}

async function playChapter(world: StoryWorld, { name, title, tell }: Chapter, teller: Teller): Promise<ChapterResult> {
  const started = performance.now();
  const [since, before] = [mark(world), await reading(world)];
  const steps: Step[] = [];
  const runs = new Map<string, { run: Run; note?: string }>();
  const page: Page = {
    step(outside, lockkeeper) {
      steps.push({ outside, lockkeeper });
      teller.step(outside, lockkeeper);
    },
    wait: (what, expectedMs, coming) => teller.wait(what, expectedMs, coming),
    run: (run, note) => void runs.set(run.id, note === undefined ? { run } : { run, note }),
  };
  let problem: string | undefined;
  try {
    await tell(world, page);
    await quiet(world);
  } catch (error) {
    world.log.note(`chapter ${name} failed`, error);
    problem = error instanceof Error ? error.message : String(error);
  }
  const told = [...runs.values()].map(({ run, note }) => ({
    id: run.id,
    kind: run.kind ?? 'apply',
    status: run.outcome ?? run.phase,
    ...(note === undefined ? {} : { note }),
  }));
  return {
    name,
    title,
    ok: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    steps,
    runs: told,
    providerWrites: writesSince(world, since).length,
    log: [since, mark(world)],
    aws: between(before, await reading(world)),
    seconds: secondsSince(started),
  };
}

async function ending(world: StoryWorld): Promise<{ proven: string[]; problem?: string }> {
  try {
    return { proven: await judgeEnding(world) };
  } catch (error) {
    world.log.note('the ending is not as it should be', error);
    return { proven: [], problem: `the ending: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function reading(world: StoryWorld): Promise<Meter> {
  const counts = await world.house.stack.counts();
  const invocations = world.journal.invocations();
  return {
    counts,
    invocations: invocations.length,
    webhooks: invocations.filter((one) => one.entry === 'github-webhook').length,
    transitions: world.house.stack.transitions(),
  };
}

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 100) / 10;
