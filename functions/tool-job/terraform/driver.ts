import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../../../shared/stacks/sealed-object.ts';
import { applyArgs, initArgs, planArgs, showArgs, statePullArgs, variablesOf, versionArgs, versionIn } from '../../../shared/stacks/terraform/commands.ts';
import { type DoneAndNot, doneOf } from '../../../shared/stacks/terraform/done.ts';
import { outputsOfPlan, outputsOfState } from '../../../shared/stacks/terraform/outputs.ts';
import { markOf, sameState } from '../../../shared/stacks/terraform/state-mark.ts';
import type { StackChange, StackPlan, StateMark, ToolFailure } from '../../../shared/stacks/tool-work.ts';
import { leastVersions, versionFault } from '../../../shared/stacks/version.ts';
import type { Applied, PlanToApply, ToolDriver, Workplace } from '../driver.ts';
import type { ToolEnd } from '../run-tool.ts';
import { pathInSource } from '../source.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed, type Streamed, streamed } from './call.ts';
import { type PlanDocument, readPlan, readState, type StateDocument } from './documents.ts';

/** A saved plan has its configuration and its state in it: beyond this the stack wants splitting. */
const mostPlanBytes = 16 * 1024 * 1024;

/** Terraform and OpenTofu, which take the same arguments and write the same documents. */
export function terraformDriver(place: Workplace): ToolDriver {
  const { work, root, folder, run, words } = place;
  const { tool } = work;
  const planFile = join(folder, 'saved.tfplan');
  const environment = { ...variablesOf(work.root), TF_DATA_DIR: join(folder, 'data') };
  const call = (args: readonly string[], more: { readonly readsBack?: true } = {}): Promise<ToolEnd> => run({ program: tool, args, environment, ...more });
  const stream = (args: readonly string[]): Promise<Streamed> => streamed((lines) => run({ program: tool, args, environment, lines }), words);
  const show = (file?: string): Promise<ToolEnd> => call(showArgs(file), file === undefined ? { readsBack: true } : {});

  async function version(): Promise<string> {
    const end = await call(versionArgs);
    if (end.end === 'missing') throw new ToolFailed({ cause: 'tool-missing', message: `There is no ${tool} where the stack is planned and applied.` });
    if (end.end !== 'exited') throw callFailed(end, 'plan-failed', `${tool} version`);
    const found = versionIn(end.stdout.toString('utf8'));
    const fault = versionFault(tool, found, work.version);
    if (fault === 'wrong') throw new ToolFailed({ cause: 'wrong-version', message: `The line wants ${tool} ${work.version}, and there is ${found}.` });
    if (fault !== undefined)
      throw new ToolFailed({
        cause: 'tool-too-old',
        message: `${tool} has to be ${leastVersions[tool]} or newer, and there is ${fault === 'unknown' ? 'one that does not say its version' : found}.`,
      });
    return found ?? '';
  }

  async function prepare(): Promise<void> {
    if (!readdirSync(root).some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name))) {
      throw new ToolFailed({ cause: 'source-unusable', message: `There is no root module in ${work.root.path}.` });
    }
    const locked = readdirSync(root).includes('.terraform.lock.hcl');
    const end = await call([...initArgs, ...(locked ? ['-lockfile=readonly'] : [])]);
    if (end.end === 'exited') {
      words.say(end.stdout.toString('utf8'));
      words.say(end.stderr);
      if (end.exit === 0) return;
      throw new ToolFailed({
        cause: 'init-failed',
        message: `${tool} init failed: ${locked ? 'providers have to be those of the lock file, and ' : ''}backend, modules and providers have to be within reach.`,
      });
    }
    throw callFailed(end, 'init-failed', `${tool} init`);
  }

  /** Files of the root's own first, ours last: what the line says wins. Values never stand in an argument, which every process can read. */
  function varFiles(): string[] {
    const own = join(folder, 'line.tfvars.json');
    writeFileSync(own, JSON.stringify(work.variables), { mode: 0o600 });
    return [...work.root.varFiles.map((file) => pathInSource(place.source, root, file, 'file')), own];
  }

  async function pulled(more: { readonly readsBack?: true } = {}): Promise<StateMark | undefined> {
    const end = await call(statePullArgs, more);
    return end.end === 'exited' && end.exit === 0 ? markOf(end.stdout.toString('utf8')) : undefined;
  }

  async function plan(usedVersion: string): Promise<StackPlan> {
    // Read before the plan is made: should it move meanwhile, the plan counts as the older one, which is the safe side.
    const state = await pulled();
    const made = await stream(planArgs({ out: planFile, lock: work.lock, varFiles: varFiles(), destroys: work.destroys === true }));
    if (made.end.end !== 'exited' || made.end.exit !== 0) throw await planFailed(made);
    if (statSync(planFile).size > mostPlanBytes)
      throw new ToolFailed({ cause: 'output-too-large', message: 'The saved plan is larger than 16 MB: split the stack.' });
    const document = await shown();
    const bytes = readFileSync(planFile);
    return {
      changes: document.changes,
      drift: document.drift,
      ...(state === undefined ? {} : { state }),
      saved: { bytes: bytes.toString('base64'), sha256: sha256Of(bytes) },
      outputs: outputsOfPlan(document.json),
      version: usedVersion,
    };
  }

  async function shown(): Promise<PlanDocument> {
    const end = await show(planFile);
    if (end.end === 'too-large') throw new ToolFailed({ cause: 'output-too-large', message: 'What the plan says is more than 32 MB: split the stack.' });
    if (end.end !== 'exited' || end.exit !== 0) throw callFailed(end, 'plan-failed', `${tool} show`);
    return readPlan(end.stdout, place);
  }

  /** What the state holds; undefined where it cannot be read: what happened before is told all the same. */
  async function recorded(fellBackFrom?: string): Promise<StateDocument | undefined> {
    const end = await show();
    try {
      return end.end === 'exited' && end.exit === 0 ? readState(end.stdout, place, fellBackFrom) : undefined;
    } catch {
      return undefined;
    }
  }

  async function planFailed(made: Streamed): Promise<ToolFailed> {
    const failed = callFailed(made.end, 'plan-failed', `${tool} plan`, made.diagnostics, words);
    if (made.end.end !== 'exited') return failed;
    // What is recorded all the same (R3.23): the state needs no provider. And it knows secrets that an error may have quoted.
    const drift = (await recorded('plan'))?.drift;
    if (failed.failure.cause !== 'plan-failed') return failed;
    return new ToolFailed({ ...failed.failure, ...(drift === undefined ? {} : { drift }) });
  }

  async function apply({ file = planFile, changes, state }: PlanToApply): Promise<Applied> {
    const before = await pulled();
    if (!sameState(state, before))
      throw new ToolFailed({
        cause: 'state-moved',
        message: 'The state has moved since the plan was made: nothing was applied.',
        ...(before === undefined ? {} : { state: before }),
      });
    const document = readPlan(await documentOf(file), place);
    const did = await stream(applyArgs(file));
    const after = await pulled({ readsBack: true });
    const now = await recorded();
    const done = doneOf(changes, document.json, now?.json, did.finished);
    if (did.end.end !== 'exited' || did.end.exit !== 0) {
      const failed = callFailed(did.end, 'apply-failed', `${tool} apply`, did.diagnostics, words);
      if (failed.failure.cause === 'busy' || failed.failure.cause === 'state-moved') throw failed;
      throw brokenOff(failed.failure, done, after);
    }
    if (now === undefined) {
      const message = `${tool} apply says that it succeeded, and what it recorded cannot be read back.`;
      throw brokenOff({ did: 'failed', cause: 'apply-failed', message, diagnostics: [] }, done, after);
    }
    return {
      changes: changes.filter(({ address, type, actions }) => done.done.includes(address) || type === 'output' || actions.every((action) => action === 'read')),
      differs: [...done.notDone, ...beside(changes, did.finished)],
      outputs: outputsOfState(now.json),
      ...(after === undefined ? {} : { state: after }),
      resources: now.resources,
    };
  }

  async function documentOf(file: string): Promise<Buffer> {
    const end = await show(file);
    if (end.end === 'exited' && end.exit === 0) return end.stdout;
    throw callFailed(end, 'apply-failed', `${tool} show`);
  }

  return { version, prepare, plan, apply };
}

/** What the tool says to have finished and the state does not know is named: nobody else will find it. */
function brokenOff({ message, diagnostics, ...failure }: ToolFailure, { done, notDone, unrecorded }: DoneAndNot, after: StateMark | undefined): ToolFailed {
  const lost = unrecorded.map((address) => ({ severity: 'error', kind: 'not-recorded', address }) as const);
  const says = lost.length === 0 ? message : `${message} What it reported to have finished is not all in the state: look for what is named as not recorded.`;
  return new ToolFailed({ ...failure, message: says, diagnostics: [...lost, ...diagnostics], done, notDone, ...(after === undefined ? {} : { state: after }) });
}

/** What was written without having been in the plan. The tool promises that there is none. */
function beside(changes: readonly StackChange[], finished: ReadonlyMap<string, unknown>): string[] {
  const planned = new Set(changes.flatMap(({ address }) => [address, address.replace(/ \(deposed [0-9a-f]+\)$/, '')]));
  return [...finished.keys()].filter((address) => !planned.has(address));
}
