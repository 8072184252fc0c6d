/**
 * Stands in for `terraform` and `tofu` in tests: plays what a play says for each call, which is what the real tool once wrote, or what one
 * that lies, hangs, floods or dies would. Every call is noted with its arguments, the names of its variables, and its folder.
 */
import { appendFileSync, createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [playFile, ...args] = process.argv.slice(2);
const { folder, plays } = JSON.parse(readFileSync(playFile, 'utf8'));
const log = join(folder, 'calls.ndjson');
const before = existsSync(log)
  ? readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];

const call = callOf(args);
const outFile = args.find((one) => one.startsWith('-out='))?.slice('-out='.length);
const varFiles = args.filter((one) => one.startsWith('-var-file=')).map((one) => readFileSync(one.slice('-var-file='.length), 'utf8'));
const planFile = args[0] === 'apply' || call === 'show plan' ? args.at(-1) : undefined;
const noted = { call, args, pid: process.pid, cwd: process.cwd(), environment: process.env, varFiles };
appendFileSync(log, `${JSON.stringify({ ...noted, ...(planFile === undefined ? {} : { plan: readFileSync(planFile, 'utf8') }) })}\n`);

const answers = [plays[call] ?? {}].flat();
const answer = answers[Math.min(before.filter((one) => one.call === call).length, answers.length - 1)] ?? {};

if (outFile !== undefined) writeFileSync(outFile, answer.plan ?? 'a saved plan');
// As the tool does, where its root declares a backend.
if (call === 'init' && (answer.exit ?? 0) === 0) noteBackend();
for (const [name, text] of Object.entries(answer.writes ?? {})) writeFileSync(name, text);
let heard = 0;
process.on('SIGINT', () => {
  heard += 1;
  if (answer.deaf || heard < (answer.hears ?? 1)) return;
  if (answer.hears !== undefined) appendFileSync(log, `${JSON.stringify({ ...noted, call: 'interrupted' })}\n`);
  process.exit(1);
});
if (answer.stderr !== undefined) process.stderr.write(answer.stderr);
if (answer.stdout !== undefined) process.stdout.write(answer.stdout);
if (answer.file !== undefined) for await (const chunk of createReadStream(answer.file)) process.stdout.write(chunk);
if (answer.floods !== undefined) await flood(answer.floods);
if (answer.hangs) setInterval(() => undefined, 60_000);
else if (answer.dies) process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
else process.exitCode = answer.exit ?? 0;

function noteBackend() {
  const data = process.env['TF_DATA_DIR'];
  if (data === undefined) return;
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'terraform.tfstate'), JSON.stringify({ version: 3, backend: { type: 's3', config: {}, hash: 1 } }));
}

function callOf([first, second, ...rest]) {
  if (first === 'state' || first === 'workspace') return `${first} ${second}`;
  if (first === 'show') return [second, ...rest].some((one) => one !== undefined && !one.startsWith('-')) ? 'show plan' : 'show state';
  return first;
}

/** As much as somebody wants, at the pace at which it is read. */
async function flood(megabytes) {
  const chunk = `${'x'.repeat(1023)}\n`.repeat(1024);
  for (let count = 0; count < megabytes; count += 1) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
