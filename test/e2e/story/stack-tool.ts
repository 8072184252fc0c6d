import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StoryWorld } from './world.ts';

/** The infrastructure tool of the story, as a person has it on a machine of their own. */

const run = promisify(execFile);

/** The tool that is on this machine; undefined where there is none. */
export async function toolHere(): Promise<'terraform' | 'tofu' | undefined> {
  for (const tool of ['terraform', 'tofu'] as const) {
    const answer = await run(tool, ['version'], { env: bare }).catch(() => undefined);
    if (answer) return tool;
  }
  return undefined;
}

const bare = { PATH: process.env['PATH'] ?? '', CHECKPOINT_DISABLE: '1' };

/** A root module whose state lies outside the repository, where every job finds it: a bucket, in a company. */
export const shopRoot = (world: StoryWorld): string => `terraform {
  backend "local" {
    path = ${JSON.stringify(join(world.folder, 'shop.tfstate'))}
  }
}

variable "size" {
  type = number
}

resource "terraform_data" "queue" {
  input = "shop-orders"
}

resource "terraform_data" "workers" {
  input = var.size
}

output "queue" {
  value = terraform_data.queue.output
}
`;

/** Somebody applies the root from a machine of their own, with another size. */
export async function applyByHand(world: StoryWorld, tool: string, root: string, size: number): Promise<void> {
  const folder = join(world.folder, 'by-hand');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.tf'), root);
  const options = { cwd: folder, env: { ...bare, HOME: folder } };
  await run(tool, ['init', '-input=false'], options);
  await run(tool, ['apply', '-input=false', '-auto-approve', `-var=size=${size}`], options);
}
