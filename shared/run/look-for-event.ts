import type { WriteGuard } from '../engine/bind.ts';
import { callFor, opOf } from '../engine/line-call.ts';
import { resolveParams } from '../engine/resolve.ts';
import { LockkeeperError } from '../errors/error.ts';
import { outputsIn } from '../plan/references.ts';
import { resolveSet } from '../secrets/sealed-set.ts';
import type { Run, RunLine } from './items.ts';
import { readLinesOfRound } from './run-store.ts';
import type { ControlWorld } from './world.ts';

const readsOnly: WriteGuard = {
  beforeWrite() {
    throw new Error('a look for an event tried to write to a provider');
  },
};

/**
 * Whether an outside event has happened that a waiting run waits for, or has failed for good. No webhook reaches a person's machine: there the
 * provider is asked, once for each line that others wait for, and nothing else of the run is done again. One that cannot be asked now
 * has told nothing.
 */
export async function eventHappened(world: ControlWorld, run: Run): Promise<boolean> {
  const lines = await readLinesOfRound(world.table, run);
  const awaited = new Set(lines.flatMap(({ result }) => (result?.status === 'waiting' && result.waitingFor === 'deploy' ? (result.waitingOn ?? []) : [])));
  for (const line of lines.filter(({ spec }) => awaited.has(spec.id))) {
    if (await hasTold(world, run, line, lines)) return true;
  }
  return false;
}

async function hasTold(world: ControlWorld, run: Run, line: RunLine, lines: readonly RunLine[]): Promise<boolean> {
  const op = opOf(world, line.spec);
  if (!op.awaitExternal) return false;
  const variables = op.credentials.map(({ variable }) => variable);
  const known = new Map(lines.map(({ spec, result }) => [spec.id, result?.outputs ?? {}]));
  const params = resolveParams(line.spec.params, {
    output: (id, name) => ({ value: known.get(id)?.[name] ?? undefined, sensitive: false }),
    secret: () => undefined,
  });
  try {
    const secrets = await resolveSet(world.secrets, run.environment, [], variables, world.redactor);
    const { call } = await callFor(world, run, line, secrets, readsOnly);
    const outputs = await op.awaitExternal(params, call);
    const wanted = lines.flatMap(({ spec, result }) => (result?.status === 'waiting' ? outputsIn(spec.params) : [])).filter((one) => one.line === line.spec.id);
    return outputs !== undefined && wanted.some(({ output }) => outputs[output] !== undefined);
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    return error.code === 'EXTERNAL_FAILED';
  }
}
