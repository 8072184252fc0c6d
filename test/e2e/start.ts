/** `npm start`: tells the story, and exits 0 when every chapter ended as it should, 1 when one did not, 2 for a wrong flag. */
import { chosen } from './story/chapters.ts';
import { keepOpen, playground } from './story/keep.ts';
import { readOptions, type StoryOptions, usage } from './story/options.ts';
import type { StoryResult } from './story/result.ts';
import { play } from './story/story.ts';
import { silent, type Teller, textTeller } from './story/teller.ts';
import { openStory, type StoryWorld } from './story/world.ts';

const options = readOptions(process.argv.slice(2));
if ('wrong' in options) {
  console.error(`USAGE: ${options.wrong}\n\n${usage}`);
  process.exitCode = 2;
} else if (options.help) console.log(usage);
else process.exitCode = await main(options);

async function main(options: StoryOptions): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
  const teller = tellerFor(options);
  const opened = performance.now();
  const world = await teller.wait('for the stack to start', 2_500, openStory());
  try {
    teller.opening(Math.round(performance.now() - opened), world);
    const result = await Promise.race([play(world, chosen(options.chapters), teller), stopped.promise.then(() => undefined)]);
    if (!result) return 130;
    const kept = options.keep && result.ok ? { kept: await playground(world) } : {};
    if (options.json) world.log.print(`${JSON.stringify({ ...result, ...kept }, undefined, 2)}\n`);
    else teller.end(result);
    if (!result.ok) return complain(result, world);
    if ('kept' in kept) await keepOpen(world, kept.kept, options.json ? undefined : teller, stopped.promise);
    return 0;
  } finally {
    await world.close();
  }
}

function complain({ problem }: StoryResult, { log }: StoryWorld): number {
  console.error(`\nThe story did not end as it should. ${problem}\nWhat the functions logged: ${log.file}`);
  return 1;
}

type Narrator = Teller & { opening(ms: number, world: StoryWorld): void; line(text: string): void };

/** Speaks through the output as it is before the functions' log is diverted from it. */
function tellerFor(options: StoryOptions): Narrator {
  if (options.json) return { ...silent, opening() {}, line() {} };
  const print = process.stdout.write.bind(process.stdout);
  const live = process.stdout.isTTY === true;
  const colour = live && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const teller = textTeller({ print: (text) => void print(text), live, colour, columns: process.stdout.columns ?? 100 });
  return {
    ...teller,
    line: (text) => void print(`${text}\n`),
    opening: (ms, { house }) =>
      void print(
        `Lockkeeper, on an embedded AWS stack (webhook at ${house.webhookUrl}) and a fake cloud\n(Neon, Vercel, Clerk, GitHub). Ready after ${(ms / 1000).toFixed(1)} s; nothing leaves this machine.\n`,
      ),
  };
}
