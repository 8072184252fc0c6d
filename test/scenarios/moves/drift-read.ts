/** `lockkeeper drift`, as `--stack` does it, or as on a person's machine: the same reads and the same answer. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Answer } from '../../../functions/cli/answer.ts';
import { type Console, createConsole } from '../../../functions/cli/console.ts';
import { driftAnswer } from '../../../functions/cli/drift/answer.ts';
import { ingestCommand } from '../../../functions/cli/drift/ingest.ts';
import { documentOfScan } from '../../../functions/cli/drift/live.ts';
import { type ReadAsked, readAsked } from '../../../functions/cli/drift/read-asked.ts';
import { documentOfLedger } from '../../../functions/cli/drift/state.ts';
import type { Store } from '../../../functions/cli/folder/store.ts';
import type { Invocation } from '../../../functions/cli/invocation.ts';
import { type Asked, recordCommand, startedRun } from '../../../functions/cli/stack/command.ts';
import { registry } from '../../../shared/adapters/registry.ts';
import type { ReadDocument } from '../../../shared/drift/read-document.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import { scopeName } from '../../../shared/plan/scope.ts';
import { createRedactor, type Redactor } from '../../../shared/redact/redactor.ts';
import { createRun } from '../../../shared/run/create-run.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import { demo } from '../../sim/seed.ts';
import type { Step } from '../scenario.ts';
import { planPath, type Stage, settle } from '../stage.ts';

type Where = Pick<Asked, 'environment' | 'branch' | 'commit'> & { readonly pullRequest?: number };

const repository = { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' };
const patience = { progress: { show: () => undefined, clear: () => undefined }, signal: AbortSignal.abort() };
const version = '0.0.0';

/** The records of what was asked for, as the command prints them. */
export async function driftRead(stage: Stage, invocation: Invocation, where: Where, person: Asked['person'], step: Step): Promise<Answer> {
  const asked = readAsked(invocation);
  const document = await (asked.read === 'state' ? stateOf(stage, where, asked) : liveOf(stage, invocation, where, asked, person, step));
  return driftAnswer({ document, read: asked.read }, invocation, { cwd: '/nowhere', ...consoleOf(stage) });
}

/** `lockkeeper drift ingest`; a file is one of test/recordings. */
export function driftIngest(stage: Stage, invocation: Invocation): Promise<Answer> {
  const inRecordings = (path: string): string => join(import.meta.dirname, '..', '..', 'recordings', path);
  const { ingest = '', beside } = invocation;
  const named = { ...invocation, ingest: inRecordings(ingest), ...(beside === undefined ? {} : { beside: inRecordings(beside) }) };
  return ingestCommand(named, { cwd: inRecordings('.'), environment: {}, ...consoleOf(stage) }, version);
}

function consoleOf(stage: Stage): { readonly console: Console; readonly redactor: Redactor } {
  const write = (text: string) => void stage.printed.push(text);
  const redactor = createRedactor();
  return { console: createConsole({ stdout: { write }, stderr: { write }, redactor, colour: false }), redactor };
}

function stateOf(stage: Stage, { environment, branch, pullRequest }: Where, asked: ReadAsked): Promise<ReadDocument> {
  const store: Store = stage.house.world();
  const scope = scopeName({ pullRequest, branch, defaultBranch: repository.defaultBranch });
  const { plan } = readPlan(Buffer.from(stage.plan), planPath, registry);
  if (!plan) throw new Error('the plan at hand cannot be read');
  const key = scopeKey({ repository: repository.id, plan: 'main', environment, scope });
  return documentOfLedger(store, { plan: 'main', environment, scope, key }, plan, asked, version);
}

async function liveOf(
  stage: Stage,
  { plan: path }: Invocation,
  where: Where,
  { line, ...asked }: ReadAsked,
  person: Asked['person'],
  step: Step,
): Promise<ReadDocument> {
  const store: Store = stage.house.world();
  if (stage.scenario.host === 'machine') {
    const object = `plans/${createHash('sha256').update(stage.plan).digest('hex')}.yaml`;
    await store.objects.put(object, stage.plan, { ifAbsent: true });
    const slot = store.ids.fresh();
    const scan = { by: 'person', slot, ...(line === undefined ? {} : { lines: [line] }) } as const;
    const scope = scopeName({ ...where, pullRequest: where.pullRequest, defaultBranch: repository.defaultBranch });
    const plan = { name: 'main', path: planPath, object };
    const id = await createRun(store, slot, { intent: 'drift', repository, plan, scope, options: { busy: 'fail', scan }, ...where });
    await settle(stage, step);
    return documentOfScan(store, await stage.house.run(id), asked, version);
  }
  const about = { intent: 'drift', owner: demo.owner, name: demo.repository, path, reconcile: false, person, ...where } as const;
  const id = await recordCommand(store, line === undefined ? about : { ...about, only: line });
  await settle(stage, step);
  return documentOfScan(store, await stage.house.run(await startedRun(store, id, patience)), asked, version);
}
