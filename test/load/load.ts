/**
 * `npm run test:load`: what the stack does under more than it is used to. Exits 1 when something that is demanded does not hold, 2 when it is
 * asked for what there is not.
 */
import { parseArgs } from 'node:util';
import { atMost, type Row, tableOf } from '../bench/row.ts';
import { sendOne } from './bad/bad.ts';
import { badInput } from './bad-input.ts';
import { largeLedger } from './ledger.ts';
import type { Part } from './part.ts';
import { largePlans } from './plans.ts';
import { webhooks } from './webhooks.ts';

const parts: Readonly<Record<string, Part>> = { webhooks, plans: largePlans, ledger: largeLedger, bad: badInput };

const usage = `usage: npm run test:load -- [--only <part>]… [--json] [--bad <door>/<number>]

${Object.entries(parts)
  .map(([name, { about }]) => `  --only ${name.padEnd(9)} ${about}`)
  .join('\n')}
  --bad webhook/12 hands in one bad input again
  --json           the rows as JSON
`;

const print = process.stdout.write.bind(process.stdout);

function refuse(why: string): never {
  process.stderr.write(`${why}\n\n${usage}`);
  process.exit(2);
}

function readOptions() {
  try {
    const flag = { type: 'boolean', default: false } as const;
    return parseArgs({ options: { only: { type: 'string', multiple: true, default: [] }, bad: { type: 'string' }, json: flag, help: flag } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const options = readOptions();
for (const name of options.only) if (!parts[name]) refuse(`there is no part ${name}`);
if (options.help) print(usage);
else if (options.bad !== undefined) {
  const judged = await sendOne(options.bad).catch((error: Error) => refuse(error.message));
  print(`${judged.id}: ${judged.answer}${judged.wrong ? `\n  ${judged.wrong}` : ', a clear answer'}\n`);
  process.exitCode = judged.wrong ? 1 : 0;
} else await measure();

/** A part that throws does not hold, and takes nothing of what was measured with it. */
function broke(name: string, error: unknown): Row {
  return atMost(`${name}: broken off`, 0, { value: 1, details: [error instanceof Error ? error.message : String(error)] });
}

async function measure(): Promise<void> {
  // The functions of the embedded stack log to the standard output, which is for the figures here.
  process.stdout.write = () => true;
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    const began = performance.now();
    const tell = (line: string): void => void process.stderr.write(`${name}: ${line}\n`);
    rows.push(...(await part.measure(tell).catch((error: unknown) => [broke(name, error)])));
    tell(`done in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  const missed = rows.filter(({ ok }) => !ok);
  print(options.json ? `${JSON.stringify({ ok: missed.length === 0, rows }, null, 2)}\n` : tableOf(rows));
  if (missed.length > 0)
    process.stderr.write(`${missed.length} of ${rows.length} do not hold:\n${missed.map(({ what, measured }) => `  ${what}: ${measured}`).join('\n')}\n`);
  process.exit(missed.length > 0 ? 1 : 0);
}
