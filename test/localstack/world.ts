import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoryWorld } from '../e2e/story/world.ts';
import { type DeployedParts, deployedHouse } from './house.ts';
import { queueOutputs } from './queues.ts';

/**
 * The story's world over a deployed stack. Nobody looks into its functions: there is no journal of invocations, and nothing is held
 * on the way to the table, so chapters that need either are told in another way or not at all (`chapters.ts`).
 */
export function deployedWorld(parts: DeployedParts, folder: string): StoryWorld {
  const file = join(folder, 'functions.log');
  writeFileSync(file, '');
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is held on the way to a deployed table');
  };
  return {
    house: deployedHouse(parts),
    folder,
    log: {
      file,
      print: (text) => void process.stdout.write(text),
      note: (message, error) => appendFileSync(file, `${message}${error === undefined ? '' : ` ${error instanceof Error ? error.stack : String(error)}`}\n`),
      restore: () => undefined,
    },
    journal: { file, invocations: () => [] },
    road: { url: '', leadTo: () => undefined, hold: refuse, release: refuse, close: async () => undefined },
    linesQueue: { url: String(parts.deployed.outputs[queueOutputs.lines]), client: parts.clients.sqs },
    pulls: new Map(),
    queueIds: { lines: queueOutputs.lines, control: queueOutputs.control, dead: [queueOutputs.linesDead, queueOutputs.controlDead] },
    close: async () => undefined,
  };
}
