/**
 * `npm run bench`: what runs cost, as counts, and how much working side by side gains, as a ratio taken in one run.
 * `--check` exits 1 when a budget is missed. `--quick` leaves out the part that takes a minute.
 */
import { budgets, type Finding } from './budgets.ts';
import { openBench, type Requests } from './runs.ts';

const args = new Set(process.argv.slice(2));
const unknown = [...args].find((arg) => !['--check', '--quick', '--help', '--json'].includes(arg));
if (args.has('--help') || unknown) {
  const usage = 'usage: npm run bench -- [--check] [--quick] [--json]';
  (unknown ? process.stderr : process.stdout).write(unknown ? `unknown flag ${unknown}\n${usage}\n` : `${usage}\n`);
  process.exit(unknown ? 2 : 0);
}

const findings: Finding[] = [];
findings.push(...(await costPerLine()));
if (!args.has('--quick')) findings.push(await sideBySide());
report(findings);
process.exitCode = args.has('--check') && findings.some((finding) => !finding.met) ? 1 : 0;

/** Requests per line: the difference between two plans, so that what a run costs by itself falls out. */
async function costPerLine(): Promise<Finding[]> {
  const [few, many] = [10, 60];
  const bench = await openBench({ concurrency: 20, latencyMs: 0 });
  const perLine = async (intent: 'plan' | 'apply' | 'destroy', name: string) => {
    const small = await bench.run(intent, few, 'few');
    const large = await bench.run(intent, many, 'many');
    return budgets.perLine(name, differenceOf(small.requests, large.requests, many - few));
  };
  try {
    const plan = await perLine('plan', 'plan');
    const create = await perLine('apply', 'create');
    const unchanged = await perLine('apply', 'unchanged');
    const destroy = await perLine('destroy', 'destroy');
    return [plan, create, unchanged, destroy];
  } finally {
    await bench.stop();
  }
}

function differenceOf(small: Requests, large: Requests, lines: number): Requests {
  return Object.fromEntries(Object.entries(large).map(([kind, count]) => [kind, (count - (small[kind] ?? 0)) / lines]));
}

/** 200 independent lines at 100 ms provider latency: fifty at a time against one at a time, in the same run. */
async function sideBySide(): Promise<Finding> {
  const lines = 200;
  const timed = async (concurrency: number) => {
    const bench = await openBench({ concurrency, latencyMs: 100 });
    try {
      progress(`${lines} lines at 100 ms, ${concurrency} at a time …`);
      return await bench.run('apply', lines, `c${concurrency}`);
    } finally {
      await bench.stop();
    }
  };
  const parallel = await timed(50);
  const sequential = await timed(1);
  return budgets.sideBySide(lines, parallel, sequential);
}

function progress(text: string): void {
  if (!args.has('--json')) process.stderr.write(`${text}\n`);
}

function report(all: readonly Finding[]): void {
  if (args.has('--json')) {
    process.stdout.write(`${JSON.stringify({ ok: all.every((finding) => finding.met), findings: all }, null, 2)}\n`);
    return;
  }
  for (const finding of all) {
    process.stdout.write(`${finding.met ? 'met   ' : 'MISSED'}  ${finding.what}: ${finding.measured} (budget: ${finding.budget})\n`);
    for (const detail of finding.details) process.stdout.write(`          ${detail}\n`);
  }
}
