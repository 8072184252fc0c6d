/**
 * `npm run bench`: the budgets, as counts, ratios taken in one run, and simulated time, so that a noisy machine does not matter.
 * `--check` measures what has a budget and exits 1 when one is missed; `--record` renews the recorded sizes of the bundles, `--write` everything in docs/bench; `--only <name>` measures one part.
 */
import { parseArgs } from 'node:util';
import { againstRecord, costPerLine } from './cost/cost.ts';
import { writeRecord } from './cost/write-record.ts';
import { growth } from './domain/growth.ts';
import { timeAgainstBound } from './domain/time.ts';
import { transitions } from './domain/transitions.ts';
import { writesPerLine } from './domain/writes.ts';
import { requestsPerLine } from './embedded/requests.ts';
import { sideBySide } from './embedded/side-by-side.ts';
import { planFile } from './plan-file.ts';
import { redaction } from './redaction.ts';
import { type Row, tableOf } from './row.ts';
import { storyRequests } from './story.ts';
import { bundleSizes, recordSizes, withBundles } from './webhook/bundle-size.ts';
import { freshProcess } from './webhook/fresh-process.ts';
import { importTimes } from './webhook/import-time.ts';

type Part = () => Promise<Row[]> | Row[];

/** What is measured, in this order. Ratios of times come first: nothing else has warmed or filled the process yet. */
const judged: Readonly<Record<string, Part>> = {
  'plan-file': planFile,
  redaction,
  webhook: () => withBundles(async ({ folder, made }) => [...(await freshProcess(folder)), ...bundleSizes(made)]),
  writes: writesPerLine,
  cost: costPerLine,
  transitions,
  time: timeAgainstBound,
  growth,
  embedded: requestsPerLine,
  'side-by-side': sideBySide,
};
const parts: Readonly<Record<string, Part>> = {
  ...judged,
  imports: () => withBundles(({ folder, made }) => importTimes(folder, made)),
  story: storyRequests,
};

const usage = `usage: npm run bench -- [--check] [--json] [--record] [--write] [--only <${Object.keys(parts).join('|')}>]…

Measures what a line costs and how long it takes, as counts, ratios and simulated time.
  --check   what has a budget, and exits 1 when one is missed or a line costs more than was recorded
  --only    one part, or several
  --json    as JSON
  --record  writes the sizes of the bundles anew, against which --check holds them
  --write   measures everything and writes docs/bench anew: on a quiet machine, some five minutes`;

interface Options {
  readonly check: boolean;
  readonly json: boolean;
  readonly record: boolean;
  readonly write: boolean;
  readonly only: readonly string[];
}

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  (options === usage ? process.stdout : process.stderr).write(`${options}\n`);
  process.exitCode = options === usage ? 0 : 2;
} else if (options.record) {
  await withBundles(async ({ made }) => recordSizes(made));
} else {
  await measure(options);
}

/** What was asked for, or what to say instead. */
function readOptions(args: readonly string[]): Options | string {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { check: flag, json: flag, record: flag, write: flag, help: flag, only: { type: 'string', multiple: true, default: [] } },
    });
    if (values.help) return usage;
    const unknown = values.only.find((name) => parts[name] === undefined);
    return unknown === undefined ? values : `there is no part ${unknown}\n${usage}`;
  } catch (error) {
    return `${(error as Error).message}\n${usage}`;
  }
}

async function measure({ check, json, write, only }: Options): Promise<void> {
  const print = outputOfItsOwn();
  const rows: Row[] = [];
  const chosen = only.length > 0 ? Object.entries(parts).filter(([name]) => only.includes(name)) : Object.entries(check ? judged : parts);
  for (const [name, part] of chosen) {
    const began = performance.now();
    rows.push(...(await part()));
    process.stderr.write(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  }
  const missed = rows.filter((row) => !row.ok);
  // What is recorded now is not held against what was recorded before.
  if (write) await writeRecord(rows.filter(({ what }) => !what.endsWith(againstRecord)));
  print(json ? `${JSON.stringify({ ok: missed.length === 0, rows }, null, 2)}\n` : tableOf(rows));
  if (missed.length > 0) process.stderr.write(`${missed.length} of ${rows.length} budgets missed:\n${missed.map(asLine).join('\n')}\n`);
  process.exitCode = check && missed.length > 0 ? 1 : 0;
}

function asLine({ what, measured, budget }: Row): string {
  return `  ${what}: ${measured}, budget ${budget}`;
}

/** The functions of the embedded stack log to the standard output, which is for the figures here. */
function outputOfItsOwn(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  return (text) => void write(text);
}
