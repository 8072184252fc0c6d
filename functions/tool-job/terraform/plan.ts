import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inside, isThere, membersIn, whole } from '../../../shared/drift/readers/place.ts';
import { sha256Of } from '../../../shared/stacks/sealed-object.ts';
import { planArgs, showArgs } from '../../../shared/stacks/terraform/commands.ts';
import { outputsOfPlan } from '../../../shared/stacks/terraform/outputs.ts';
import type { StackPlan } from '../../../shared/stacks/tool-work.ts';
import type { Workplace } from '../driver.ts';
import { pathInSource } from '../source.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed, type Streamed } from './call.ts';
import { type Calls, isDone } from './calls.ts';
import { type PlanDocument, readPlan } from './documents.ts';

/** A saved plan has its configuration and its state in it: beyond this the stack wants splitting. */
const mostPlanBytes = 16 * 1024 * 1024;

/** @throws ToolFailed `plan-failed`, with what is recorded all the same, `busy`, `not-understood`, `output-too-large`, `timed-out`, `stopped` */
export async function makePlan(place: Workplace, calls: Calls, file: string, version: string): Promise<StackPlan> {
  const { work } = place;
  // Read before the plan is made: should it move meanwhile, the plan counts as the older one, which is the safe side.
  const state = await calls.pulled('plan-failed');
  const made = await calls.stream(planArgs({ out: file, lock: work.lock, varFiles: varFiles(place), destroys: work.destroys === true }));
  if (!isDone(made.end)) throw await planFailed(place, calls, made);
  if (statSync(file).size > mostPlanBytes)
    throw new ToolFailed({ cause: 'output-too-large', message: 'The saved plan is larger than 16 MB: split the stack.' });
  const { changes, drift, json } = await shownPlan(place, calls, file, 'plan-failed');
  if (work.destroys !== true) refuseUndeclared(work, json);
  const bytes = readFileSync(file);
  return {
    changes,
    drift,
    ...(state === undefined ? {} : { state }),
    saved: { bytes: bytes.toString('base64'), sha256: sha256Of(bytes) },
    outputs: outputsOfPlan(json),
    version,
  };
}

/** What a saved plan says. @throws ToolFailed `not-understood`, `output-too-large`, or `otherwise` */
export async function shownPlan(place: Workplace, { call }: Calls, file: string, otherwise: 'plan-failed' | 'apply-failed'): Promise<PlanDocument> {
  const end = await call(showArgs(file));
  if (end.end === 'too-large') throw new ToolFailed({ cause: 'output-too-large', message: 'What the plan says is more than 32 MB: split the stack.' });
  if (!isDone(end)) throw callFailed(end, otherwise, `${place.work.tool} show`);
  return readPlan(end.stdout, place);
}

/** The tool drops a value that nothing declares, with a warning at most: a misspelt name would apply the default. @throws ToolFailed `plan-failed` */
function refuseUndeclared({ variables, root }: Workplace['work'], plan: PlanDocument['json']): void {
  const configured = inside(whole(plan), 'configuration');
  if (!isThere(configured)) return;
  const declared = new Set(membersIn(inside(inside(configured, 'root_module'), 'variables')).map(([name]) => name));
  const undeclared = Object.keys(variables).filter((name) => !declared.has(name));
  if (undeclared.length === 0) return;
  const known = declared.size === 0 ? 'none' : [...declared].sort().join(', ');
  throw new ToolFailed({ cause: 'plan-failed', message: `The root ${root.path} declares no variable ${undeclared.join(', ')}; it declares ${known}.` });
}

/** Files of the root's own first, ours last: what the line says wins. Values never stand in an argument, which every process can read. */
function varFiles({ work, source, root, folder }: Workplace): string[] {
  const own = join(folder, 'line.tfvars.json');
  writeFileSync(own, JSON.stringify(work.variables), { mode: 0o600 });
  return [...work.root.varFiles.map((file) => pathInSource(source, root, file, 'file')), own];
}

async function planFailed({ work: { tool }, words }: Workplace, calls: Calls, made: Streamed): Promise<ToolFailed> {
  const failed = callFailed(made.end, 'plan-failed', `${tool} plan`, made.diagnostics, words);
  if (made.end.end !== 'exited') return failed;
  // The state needs no provider (R3.23). And it knows secrets that an error may have quoted.
  const drift = (await calls.recorded('plan'))?.drift;
  if (failed.failure.cause !== 'plan-failed') return failed;
  return new ToolFailed({ ...failed.failure, ...(drift === undefined ? {} : { drift }) });
}
