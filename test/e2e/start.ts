/** `npm start`: tells the story, and exits 0 when every chapter ended as it should, 1 when one did not, 2 for a wrong flag. */
import { chosen } from './story/chapters.ts';
import { keepOpen, playground } from './story/keep.ts';
import { readOptions, type StoryOptions, usage } from './story/options.ts';
import type { StoryResult } from './story/result.ts';
import { play } from './story/story.ts';
import { silent, type Teller, textTeller } from './story/teller.ts';
import { openStory, type StoryWorld } from './story/world.ts';

/** What a shell calls a program that Ctrl-C has ended. */
const interrupted = 130;

const options = readOptions(process.argv.slice(2));
if ('wrong' in options) {
  console.error(`USAGE: ${options.wrong}\n\n${usage}`);
  process.exitCode = 2;
} else if (options.help) console.log(usage);
else {
  const code = await main(options);
  if (code === interrupted) process.exit(code); // a chapter is still being played, to nobody
  process.exitCode = code;
}

async function main(options: StoryOptions): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
  const teller = tellerFor(options);
  const opened = performance.now();
  const world = await teller.wait('for the stack to start', 2_500, openStory());
  let code: number = interrupted;
  try {
    teller.greet(performance.now() - opened, world);
    const playing = play(world, chosen(options.chapters), teller);
    const result = await Promise.race([playing, stopped.promise.then(() => undefined)]);
    if (result) code = await finish(result, options, world, teller, stopped.promise);
    return code;
  } finally {
    await world.close(code === 1);
  }
}

/** The closing table or the document, and the waiting, if it is wanted. */
async function finish(result: StoryResult, { json, keep }: StoryOptions, world: StoryWorld, teller: Narrator, stopped: Promise<void>): Promise<number> {
  const kept = keep && result.ok ? await playground(world) : undefined;
  if (json) world.log.print(`${JSON.stringify(kept ? { ...result, kept } : result, undefined, 2)}\n`);
  else teller.end(result);
  if (!result.ok) {
    console.error(
      `\nThe story did not end as it should. ${result.problem}\nA machine that is slow or busy with other things can be the cause: then run it again. What the functions logged: ${world.log.file}`,
    );
    return 1;
  }
  if (kept) await keepOpen(kept, json ? undefined : teller.print, stopped);
  return 0;
}

type Narrator = Teller & { greet(afterMs: number, world: StoryWorld): void; print(text: string): void };

/** Speaks through the output as it is before the functions' log is diverted from it. */
function tellerFor({ json }: StoryOptions): Narrator {
  if (json) return { ...silent, greet() {}, print() {} };
  const write = process.stdout.write.bind(process.stdout);
  const print = (text: string): void => void write(text);
  const live = process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';
  return {
    ...textTeller({ print, live, colour: live && !process.env['NO_COLOR'], columns: process.stdout.columns ?? 100 }),
    print,
    greet(afterMs, { house }) {
      print('Lockkeeper on an embedded AWS stack, in front of a fake Neon, Vercel, Clerk and GitHub.\n');
      print(`Ready after ${(afterMs / 1000).toFixed(1)} s at ${house.webhookUrl}; nothing leaves this machine.\n`);
    },
  };
}
