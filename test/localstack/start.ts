/**
 * `npm run test:localstack`: deploys the real template to a LocalStack-compatible endpoint with the CDK's own command line, tells the story
 * there over HTTP, reads the end past Lockkeeper's code, and removes everything. Exits 0 when all of it was as it should be, or when
 * no endpoint answers and none is required; 1 otherwise; 2 for a wrong flag.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Endpoint, findEndpoint, needsOf } from './endpoint.ts';
import { run } from './run.ts';

const usage = `npm run test:localstack -- [--proof] [--keep]

  --proof   writes docs/deploy-proof.md
  --keep    leaves the stack where it is
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const flags = read(args);
  if (!flags) {
    console.error(`USAGE\n\n${usage}`);
    return 2;
  }
  const endpoint = await findEndpoint(process.env);
  if (!endpoint) return missing();
  return play(endpoint, flags);
}

function missing(): number {
  const required = process.env['LOCKKEEPER_REQUIRE_ENDPOINT'] === '1';
  console.error(`${required ? 'FAILED' : 'Skipped'}. ${needsOf(process.env)}`);
  return required ? 1 : 0;
}

async function play(endpoint: Endpoint, flags: NonNullable<ReturnType<typeof read>>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-deployed-'));
  const ok = await run({ endpoint, folder, ...flags, print: (text) => void process.stdout.write(text) });
  if (ok) rmSync(folder, { recursive: true, force: true });
  else console.error(`What the CDK and the functions printed lies in ${folder}`);
  return ok ? 0 : 1;
}

function read(args: readonly string[]): { proof: boolean; keep: boolean } | undefined {
  try {
    return parseArgs({ args: [...args], options: { proof: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } } }).values;
  } catch {
    return undefined;
  }
}
