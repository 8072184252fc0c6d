/** What somebody types, and the files that it names: at the parser of the command line, and at the commands that need nothing but files. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Answer } from '../../../functions/cli/answer.ts';
import { parseCommandLine } from '../../../functions/cli/command-line.ts';
import { validate } from '../../../functions/cli/commands/validate.ts';
import { createConsole } from '../../../functions/cli/console.ts';
import { ingestCommand } from '../../../functions/cli/drift/ingest.ts';
import { commands } from '../../../functions/cli/invocation.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { createRedactor } from '../../../shared/redact/redactor.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn, carried } from './canaries.ts';
import { damagedText, damagedValue, oddTexts } from './damage.ts';
import type { Answered, Door } from './door.ts';
import { goodPlan, goodPolicy } from './files.ts';

const flags = [
  '--plan',
  '--env',
  '--pr',
  '--branch',
  '--sha',
  '--json',
  '--state-dir',
  '--sim',
  '--stack',
  '--local',
  '--concurrency',
  '--wait',
  '--wait-timeout',
  '--recreate',
  '--reconcile',
  '--until',
  '--reason',
  '--all',
  '--yes',
  '--member',
  '--read',
  '--resource',
  '--show',
  '--stream',
  '--output',
  '--adopt',
  '--help',
  '--version',
  '--no-json',
  '--env=',
  '--pr=-1',
  '-o',
  '-h',
  '--',
  '-',
  '--__proto__',
  '--constructor=x',
  '---',
  '-\u0000',
] as const;

/** Words in an order that makes sense, now and then. */
function typed(random: Random): string[] {
  const word = (): string => random.one([...oddTexts, ...Object.keys(commands), 'ingest', '1', '-1', '1e9', '99999999999', 'a', 'main', 'pr-7']);
  const words = Array.from({ length: random.below(7) }, () => (random.chance(0.5) ? random.one(flags) : word()));
  return random.chance(0.8) ? [random.one(Object.keys(commands)), ...words] : words;
}

function parsed(random: Random): Answered {
  const argv = typed(random);
  try {
    const line = parseCommandLine(argv, '0.0.0');
    return { answer: 'text' in line ? 'help' : 'understood' };
  } catch (error) {
    if (!(error instanceof LockkeeperError) || error.code !== 'USAGE') throw error;
    const { message, hint } = error.problem;
    if (/\S/.test(message) && /\S/.test(hint ?? '')) return { answer: error.code };
    return { answer: error.code, wrong: `${JSON.stringify(argv)}: nobody is told what to do` };
  }
}

const recordings = new URL('../../recordings/', import.meta.url);
const printed = readdirSync(recordings, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:json|ndjson)$/.test(path))
  .sort();

/** What a tool printed, damaged as text or as a tree. */
function toolOutput(random: Random): Uint8Array {
  const path = random.one(printed);
  const text = readFileSync(new URL(path, recordings), 'utf8');
  // Some hold more than one document.
  if (path.endsWith('.ndjson') || /^\}\n\{/m.test(text) || random.chance(0.3)) return damagedText(text, random);
  return Buffer.from(JSON.stringify(damagedValue(JSON.parse(text), random)) ?? '');
}

/** In a folder of its own: a file is damaged, empty, a folder, or not there. */
async function carriedOut(random: Random): Promise<Answered> {
  const cwd = mkdtempSync(join(tmpdir(), 'lockkeeper-bad-'));
  const put = (name: string, bytes: Uint8Array): void => {
    if (random.chance(0.04)) mkdirSync(join(cwd, name));
    else if (random.chance(0.96)) writeFileSync(join(cwd, name), random.chance(0.03) ? '' : bytes);
  };
  const said: string[] = [];
  let hidden = false;
  const way = { write: (text: string) => said.push(text), isTTY: false, columns: 100 };
  const redactor = createRedactor();
  const console = createConsole({ stdout: way, stderr: way, redactor, colour: false });
  try {
    let answer: Answer;
    if (random.chance(0.5)) {
      const plan = damagedText(goodPlan.replace('{ secret: env://KEY }', carried), random);
      put('release.plan.yaml', plan);
      // Under another name nobody knows it for a secret.
      hidden = /^ {6}KEY: sk-live-/m.test(plan.toString());
      if (random.chance(0.5)) put('lockkeeper.yaml', damagedText(goodPolicy, random));
      answer = validate(invocationOf(['validate']), { cwd });
    } else {
      put('tool.json', toolOutput(random));
      const argv = ['drift', 'ingest', join(cwd, 'tool.json'), '--member', 'network', ...(random.chance(0.3) ? ['--text'] : [])];
      answer = await ingestCommand(invocationOf(argv), { cwd, console, redactor, environment: {} }, '0.0.0', Readable.from([]));
    }
    console.result(answer.text(console.screen));
    console.end();
    return judged(answer.problem?.code ?? `exit ${answer.exit}`, said.join('').replaceAll(cwd, ''), hidden);
  } catch (error) {
    if (!(error instanceof LockkeeperError) || error.code === 'INTERNAL') throw error;
    return judged(error.code, error.message.replaceAll(cwd, ''), hidden);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** A terminal is told what it can show, and no secret. */
function judged(answer: string, told: string, hidden: boolean): Answered {
  const leaked = hidden ? canaryIn(told) : undefined;
  if (leaked) return { answer, wrong: leaked };
  const control = /(?!\n)[\p{Cc}\p{Cf}]/u.exec(told);
  if (control) return { answer, wrong: `a control character is printed: ${JSON.stringify(told.slice(Math.max(0, control.index - 80), control.index + 20))}` };
  return { answer, ...(told.trim() === '' ? { wrong: 'nothing is printed' } : {}) };
}

function invocationOf(argv: readonly string[]) {
  const line = parseCommandLine(argv, '0.0.0');
  if ('text' in line) throw new Error(`${argv.join(' ')} asks for help`);
  return line.invocation;
}

export const typedCommands: Door = {
  name: 'command',
  count: 900,
  send: async (random) => (random.chance(0.5) ? parsed(random) : carriedOut(random)),
};
