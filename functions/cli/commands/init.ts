import { chmodSync, existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { registry } from '../../../shared/adapters/registry.ts';
import { LockkeeperError, type Problem } from '../../../shared/errors/error.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import type { DriftItem, LineReport } from '../../../shared/run/report.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { count } from '../../../shared/surfaces/words.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer, Screen } from '../answer.ts';
import { chosen, linesFor, type Taken, type Unmanaged, unmanagedIn } from '../init/adoptable.ts';
import { type Detected, detect } from '../init/detect.ts';
import { addIgnore, missingIgnore } from '../init/git-ignore.ts';
import { withLines } from '../init/insert.ts';
import { flowText } from '../init/line-text.ts';
import { type Starter, starterPlan } from '../init/starter.ts';
import type { Invocation } from '../invocation.ts';
import { type PlanFile, readPlanBytes, readPlanFile } from '../plan-file.ts';
import { findingsText } from '../problem-text.ts';
import type { Surroundings } from '../surroundings.ts';

/** Makes a plan of the release at hand, here or through a stack. */
export type Look = (invocation: Invocation & { readonly command: 'plan' }) => Promise<Answer>;

/** What lies above the lines that init adds. */
const remark = 'Found by `lockkeeper init`, and kept as it is.';

/**
 * Without a plan file: writes one for what the repository's files show. With one: makes a plan, and adds lines that keep what was found and
 * no plan manages (R0.3). Never overwrites; no provider and no secret is read for the former, and nothing but the plan for the latter.
 *
 * @throws LockkeeperError USAGE; what a plan throws.
 */
export async function initCommand(invocation: Invocation, { cwd }: Pick<Surroundings, 'cwd'>, look: Look): Promise<Answer> {
  const ignore = missingIgnore(cwd, invocation.stateDir);
  const answer = existsSync(resolve(cwd, invocation.plan)) ? await adopt(invocation, cwd, look) : start(invocation, cwd);
  if (ignore !== undefined && !invocation.dryRun) addIgnore(cwd, ignore);
  if (ignore === undefined) return answer;
  const said = invocation.dryRun ? `+ .gitignore: ${ignore}` : `.gitignore has ${ignore} now.`;
  return { ...answer, document: { ...answer.document, ignored: ignore }, text: (screen) => `${answer.text(screen)}${said}\n` };
}

function start(invocation: Invocation, cwd: string): Answer {
  if ((invocation.adopt ?? []).length > 0)
    throw new LockkeeperError({
      code: 'USAGE',
      message: `There is no ${invocation.plan} to add lines to.`,
      hint: 'Run `lockkeeper init` without --adopt first.',
    });
  const detected = detect(cwd);
  const starter = starterPlan(detected);
  const [mistake] = readPlan(starter.text, invocation.plan, registry).problems;
  if (mistake) throw new LockkeeperError(mistake);
  if (!invocation.dryRun) writeNew(resolve(cwd, invocation.plan), starter.text, invocation.plan);
  const { found, unsupported } = detected;
  const { todo, assumed, text } = starter;
  return {
    exit: 0,
    document: {
      created: !invocation.dryRun,
      path: invocation.plan,
      detected: { found, unsupported, todo, assumed },
      added: [],
      warnings: [],
      ...(invocation.dryRun ? { dryRun: true, text } : {}),
    },
    text: (screen) => startText(invocation, detected, starter, screen),
  };
}

function startText({ plan, dryRun }: Invocation, { found, unsupported }: Detected, { text, todo, assumed }: Starter, { paint, columns }: Screen): string {
  const seen = found.map(({ name, evidence }) => `${paint('done', '=')} ${name}: ${evidence.map((one) => plain(one)).join(', ')}`);
  const others = unsupported.map(({ name, evidence, pointer }) => `${paint('open', '?')} ${name}: ${evidence.map((one) => plain(one)).join(', ')}. ${pointer}`);
  const guess = assumed ? [`${paint('open', '?')} No provider was found: Neon and Vercel are a guess.`] : [];
  const fill = todo.map(({ path, placeholder, hint }) => `${paint('open', '?')} Fill in ${path} (${placeholder}). ${hint}`);
  const next = `Next: ${todo.length > 0 ? 'fill that in, then ' : ''}\`lockkeeper validate\`, and \`lockkeeper apply --sim\` to try it where nothing is real.`;
  const made = dryRun ? `${plan} would be:\n\n${text}` : `${paint('done', '+')} ${plan} is written.`;
  const said = (rows: readonly string[]): string => fitted(rows.join('\n'), columns);
  // The file itself is shown as it would be written.
  return `${[said([...seen, ...others, ...guess]), dryRun ? made : said([made]), said([...fill, next])].filter((part) => part !== '').join('\n')}\n`;
}

async function adopt(invocation: Invocation, cwd: string, look: Look): Promise<Answer> {
  const file = readPlanFile(cwd, invocation.plan);
  const seen = await look({ ...invocation, command: 'plan' });
  const report = seen.document as unknown as { environment?: string; drift?: readonly DriftItem[]; lines?: readonly LineReport[] };
  const { environment, drift, lines } = report;
  // A plan that never came to look at anything has its problem and nothing else.
  if (environment === undefined || drift === undefined || lines === undefined) return seen;
  const found = chosen(unmanagedIn({ drift, lines }), invocation.adopt ?? []);
  const ids = file.plan.lines.map(({ id }) => id);
  const { taken, left } = linesFor(found, registry, { environment, ids });
  const warnings = [...left.map(unadoptable), ...lines.flatMap(notLooked)];
  if (taken.length === 0) return adopted(invocation, [], warnings, '');
  const { bytes, added } = withLines(
    file.bytes,
    taken.map(({ line }) => line),
    remark,
  );
  judgeResult(file, bytes, taken);
  if (!invocation.dryRun) replace(cwd, file, bytes);
  return adopted(invocation, taken, warnings, added);
}

function adopted({ plan, dryRun }: Invocation, taken: readonly Taken[], warnings: readonly Problem[], text: string): Answer {
  const added = taken.map(({ line: { id, adapter, op }, keys }) => ({ id, adapter, op, keys }));
  const resources = count(taken.flatMap(({ keys }) => keys).length, 'resource');
  return {
    exit: 0,
    document: { created: false, path: plan, detected: null, added, warnings, ...(dryRun ? { dryRun: true, text } : {}) },
    text: (screen) => {
      const noted = findingsText(warnings, screen);
      if (added.length === 0) return `${noted}${screen.paint('done', '=')} Nothing is there that ${plan} could take over; it stays as it is.\n`;
      const lines = added.map(
        ({ id, adapter, op, keys }) => `${screen.paint('done', '+')} ${id} (${adapter}.${op}): ${keys.map((key) => plain(key)).join(', ')}\n`,
      );
      const rest = dryRun
        ? `${plan} would have this in addition:\n\n${text.replaceAll('\r', '')}\n`
        : `${count(added.length, 'line')} with ${resources} added to ${plan}. Next: \`lockkeeper plan\` shows them, \`lockkeeper apply\` records them as adopted.\n`;
      return `${noted}${lines.join('')}${rest}`;
    },
  };
}

const unadoptable = ({ adapter, op, label }: Unmanaged): Problem => ({
  code: 'ADOPT_REQUIRED',
  message: `${label} is not managed, and ${adapter}.${op} has no line that would keep it as it is.`,
  hint: 'Write a line for it, or leave it alone.',
});

const notLooked = ({ id, status, problem }: LineReport): Problem[] =>
  status === 'error' && problem ? [{ ...problem, message: `Line ${id} could not be looked at, nor what lies beside it: ${problem.message}` }] : [];

/** What is written is read back first: every line that was there, and the new ones after them. */
function judgeResult({ path, plan }: PlanFile, bytes: Buffer, taken: readonly Taken[]): void {
  const { plan: after, problems } = readPlan(bytes, path, registry);
  const wanted = [...plan.lines.map(({ id }) => id), ...taken.map(({ line }) => line.id)];
  const same = JSON.stringify(after?.lines.map(({ id }) => id)) === JSON.stringify(wanted);
  if (same && problems.length === 0) return;
  const names = taken.map(({ line }) => line.id).join(', ');
  const message = `The lines ${names} cannot be added to ${path} without a mistake${problems[0] ? `: ${problems[0].message}` : ''}.`;
  throw new LockkeeperError({
    code: 'USAGE',
    message,
    hint: `Nothing was written. Name some of them with --adopt, or add by hand: ${taken.map(({ line }) => flowText(line)).join(' ')}`,
  });
}

function writeNew(path: string, text: string, name: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new LockkeeperError({ code: 'USAGE', message: `${name} cannot be written: ${(error as Error).message}` }, { cause: error });
  }
}

/** Puts the new file in the old one's place at once, unless that was edited while the plan was made. */
function replace(cwd: string, { path, bytes }: PlanFile, after: Buffer): void {
  if (!readPlanBytes(cwd, path).equals(bytes))
    throw new LockkeeperError({ code: 'USAGE', message: `${path} was edited while it was planned.`, hint: 'Nothing was written. Run the command again.' });
  const target = realpathSync(resolve(cwd, path));
  const beside = `${target}.${process.pid}`;
  writeFileSync(beside, after, { flag: 'wx' });
  chmodSync(beside, statSync(target).mode & 0o777);
  renameSync(beside, target);
}
