import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideApproved, besideOwn } from '../../shared/stacks/compare-changes.ts';
import { openObject, sha256Of } from '../../shared/stacks/sealed-object.ts';
import type { SealedObject, StackPlan, ToolFailure, ToolOutcome, ToolWork } from '../../shared/stacks/tool-work.ts';
import type { Applied, PlanToApply, ToolDriver, Workplace } from './driver.ts';
import { driverOf } from './drivers.ts';
import { installTool } from './install/install.ts';
import type { PrivateFolder } from './private-folder.ts';
import { toolRuns } from './run-tool.ts';
import { pathInSource, unpackSource } from './source.ts';
import { ToolFailed } from './tool-failed.ts';
import { openWords, type Words } from './words.ts';

/** What a job has beside its work. */
export interface JobSurroundings {
  readonly folder: PrivateFolder;
  /** The body of an encrypted object of the bucket; undefined where there is none. */
  readonly object: (name: string) => Promise<string | undefined>;
  /** Where programs are looked for: the job's own `PATH`. */
  readonly path: string;
  /** The tool is fetched from its release site, in the version that the line pins: none is there, or none that is to be used. */
  readonly fetchesTool?: boolean;
  /** When the job began, RFC 3339. */
  readonly began: string;
  /** Its reason, `timed-out` or `stopped`, says why the tool is to end. */
  readonly ending: AbortSignal;
  readonly graceMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** How programs are run: as processes. */
  readonly runs?: typeof toolRuns;
}

/** Does the work and says what became of it; never throws, and leaves nothing in the folder. */
export async function doWork(work: ToolWork, surroundings: JobSurroundings): Promise<ToolOutcome> {
  const words = openWords(work);
  try {
    const done = await inWorkplace(work, surroundings, words);
    return { format: 1, words: words.told(), ...done };
  } catch (error) {
    const failed = error instanceof ToolFailed ? error : new ToolFailed({ cause: causeOf(work), message: 'The job failed before the tool had ended.' });
    if (!(error instanceof ToolFailed)) words.say(error instanceof Error ? (error.stack ?? error.message) : 'Something was thrown that is no error.');
    return { format: 1, words: words.told(), ...withoutSecrets(work, failed.failure) };
  } finally {
    surroundings.folder.remove();
  }
}

/** Addresses of what a job did go into the ledger, whoever comes to hear of it. */
function withoutSecrets(work: ToolWork, { done, notDone, ...failure }: ToolFailure): ToolFailure {
  const { mask } = openWords(work);
  return { ...failure, ...(done ? { done: done.map(mask) } : {}), ...(notDone ? { notDone: notDone.map(mask) } : {}) };
}

const causeOf = (work: ToolWork): 'plan-failed' | 'apply-failed' => (work.do === 'plan' ? 'plan-failed' : 'apply-failed');

type Done = { readonly did: 'planned'; readonly plan: StackPlan } | ({ readonly did: 'applied'; readonly plan?: StackPlan } & Applied);

async function inWorkplace(work: ToolWork, surroundings: JobSurroundings, words: Words): Promise<Done> {
  const { folder, began, ending, graceMs, sleep, fetchesTool, runs = toolRuns } = surroundings;
  const [source, home, tmp, own] = ['source', 'home', 'tmp', 'own'].map((name) => join(folder.path, name)) as [string, string, string, string];
  for (const made of [home, tmp, own]) mkdirSync(made, { mode: 0o700 });
  // Before anything is run: an altered plan costs nothing.
  const approved = work.do === 'apply' ? await approvedPlan(work, surroundings, own) : undefined;
  const path = await programsOf(work, surroundings);
  unpackSource(await opened(work.source, surroundings, 'source-unusable', "the commit's files"), source);
  const root = pathInSource(source, source, work.root.path, 'folder');
  const environment = { ...work.environment, PATH: path, HOME: home, TMPDIR: tmp };
  const run = runs({ cwd: root, environment, ending, graceMs, guard: folder.guard });
  const place: Workplace = { work, source, root, folder: own, machine: fetchesTool ? 'passing' : 'staying', began, words, run, sleep };
  const driver = driverOf(place);
  const version = await driver.version();
  await driver.prepare();
  if (approved !== undefined) return { did: 'applied', ...(await driver.apply(approved)) };
  const plan = await driver.plan(version);
  if (work.do === 'plan') return { did: 'planned', plan };
  refuseBeside(work, plan, words);
  refuseSecretAddresses(work, plan);
  return { did: 'applied', plan, ...(await appliedAtOnce(driver, plan)) };
}

/** Fetched before anything of the commit is there: nothing in it has a say in which tool is run. */
async function programsOf({ tool, version }: ToolWork, { folder, path, ending, fetchesTool }: JobSurroundings): Promise<string> {
  if (!fetchesTool) return path;
  return `${await installTool(tool, version, { folder: join(folder.path, 'tool'), ending })}:${path}`;
}

/**
 * Where no saved plan was approved: what has become of it in the meantime is applied only as far as somebody has approved it, and removed only
 * as far as it may go.
 */
function refuseBeside({ approved, only }: ToolWork, plan: StackPlan, words: Words): void {
  const unseen = approved === undefined ? [] : besideApproved(approved.changes, plan.changes);
  const beside = [...unseen, ...(only === undefined ? [] : besideOwn(only, plan.changes, words.mask))];
  if (beside.length === 0) return;
  const diagnostics = beside.map((address) => ({ severity: 'error', kind: 'not-approved', address }) as const);
  throw new ToolFailed({
    cause: 'not-approved',
    message: 'A fresh plan has changes that nobody has approved: nothing was applied.',
    diagnostics,
    planned: plan,
  });
}

/** Addresses are names, and are written down as they are: where nobody is asked, nobody has looked at these yet. */
function refuseSecretAddresses(work: ToolWork, { changes }: StackPlan): void {
  // What is there by such a name goes away.
  if (work.destroys) return;
  const { mask } = openWords(work);
  const carrying = changes.map(({ address }) => address).filter((address) => mask(address) !== address);
  if (carrying.length === 0) return;
  const diagnostics = carrying.map((address) => ({ severity: 'error', kind: 'secret-in-address', address: mask(address) }) as const);
  throw new ToolFailed({ cause: 'plan-failed', message: 'The address of a resource would carry a secret value: nothing was applied.', diagnostics });
}

async function appliedAtOnce(driver: ToolDriver, plan: StackPlan): Promise<Applied> {
  try {
    return await driver.apply({ changes: plan.changes, ...(plan.state === undefined ? {} : { state: plan.state }) });
  } catch (error) {
    if (error instanceof ToolFailed) throw new ToolFailed({ ...error.failure, planned: plan });
    throw error;
  }
}

/** The saved plan, if it is the approved one: the tool is given the very bytes that were hashed (R4.2). */
async function approvedPlan(work: ToolWork, surroundings: JobSurroundings, folder: string): Promise<PlanToApply> {
  const { approved } = work;
  if (approved?.plan === undefined) throw new ToolFailed({ cause: 'plan-altered', message: 'There is no saved plan to apply.' });
  const { plan, state, changes } = approved;
  const bytes = await opened(plan, surroundings, 'plan-altered', 'the saved plan');
  const file = join(folder, 'approved.plan');
  writeFileSync(file, bytes, { mode: 0o600 });
  return { file, changes, ...(state === undefined ? {} : { state }) };
}

async function opened(sealed: SealedObject, surroundings: JobSurroundings, cause: 'plan-altered' | 'source-unusable', what: string): Promise<Buffer> {
  const body = await bodyOf(sealed.object, surroundings, what);
  if (body === undefined) throw new ToolFailed({ cause, message: `The object with ${what} is not there.` });
  let bytes: Buffer;
  try {
    bytes = openObject(body, sealed);
  } catch {
    throw new ToolFailed({ cause, message: `The object with ${what} cannot be opened: it was altered.` });
  }
  if (sha256Of(bytes) !== sealed.sha256) throw new ToolFailed({ cause, message: `The object holds another thing than ${what}: it was altered.` });
  return bytes;
}

const tries = 3;

/** A bucket that does not answer has altered nothing: that is another failure, and the line may be tried again. */
async function bodyOf(name: string, { object, sleep }: JobSurroundings, what: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await object(name);
    } catch {
      if (attempt === tries) throw new ToolFailed({ cause: 'init-failed', message: `The bucket did not answer for ${what}: nothing was run.` });
      await sleep(1000 * attempt);
    }
  }
}
