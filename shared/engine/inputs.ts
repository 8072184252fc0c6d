import type { Problem } from '../errors/error.ts';
import { outputsIn, splitReference } from '../plan/references.ts';
import type { Scalar } from '../plan/types.ts';
import { Again } from '../run/again.ts';
import type { LineResult, Run, RunLine } from '../run/items.ts';
import { readRunLine } from '../run/run-store.ts';
import type { World } from '../run/world.ts';
import { declaredOutputs } from './declared-outputs.ts';
import { opOf } from './line-call.ts';
import { leaves, type OutputSource, resolveParams } from './resolve.ts';
import type { RunSecrets } from './run-secrets.ts';
import { openSealed } from './sealed-outputs.ts';
import { pendingIn, type ResolvedParams } from './value.ts';

/** A line that another one needs, with the redeploy that gives its external outputs, where the other one waits for that. */
export type Needed = RunLine & { readonly redeploy?: RunLine };

/** Why what the outside event gives will never come. */
export const eventFailureOf = ({ result, redeploy }: Needed): Problem | undefined => result?.externalFailed ?? redeploy?.result?.externalFailed;

/** What the lines a line needs have come to. `dead`: one of them will not be done in this round. */
export type Needs =
  | { readonly state: 'ready'; readonly lines: readonly Needed[] }
  | { readonly state: 'dead'; readonly problem: Problem }
  | { readonly state: 'waiting'; readonly on: string; readonly event: string };

/** Statuses after which a line that needs this one goes on. */
const done: ReadonlySet<string> = new Set(['applied', 'unchanged', 'create', 'update', 'adopt', 'pending', 'todo', 'run']);

/**
 * Reads the lines this one needs in this phase, strongly, and says whether it may go on (R1.48).
 *
 * @throws Again for a message that came before its line was ready.
 */
export async function readNeeds(world: World, run: Run, line: RunLine, good = done): Promise<Needs> {
  const lines = await Promise.all([...line.spec.needs, ...(line.spec.awaits ?? [])].map((id) => readRunLine(world.table, run.id, id)));
  const found = lines.filter((needed) => needed !== undefined);
  const waiting = found.find((needed) => needed.result?.status === 'waiting');
  if (waiting)
    return {
      state: 'waiting',
      on: waiting.result?.waitingOn ?? waiting.spec.redeploy?.lines[0] ?? waiting.spec.id,
      event: waiting.result?.waitingFor ?? 'deploy',
    };
  const early = found.find((needed) => !needed.result);
  if (early) throw new Again(`line ${early.spec.id} is not finished: this message came before its time`, 5);
  const dead = found.find((needed) => !good.has(needed.result?.status ?? ''));
  if (dead || found.length < lines.length) {
    const id = dead?.spec.id ?? 'unknown';
    return {
      state: 'dead',
      problem: { code: 'DEPENDENCY_BLOCKED', message: `Line ${id}, which this line needs, ended ${dead?.result?.status ?? 'nowhere'}.`, details: { line: id } },
    };
  }
  const redeploys = new Map(found.map((one) => [one.spec.id, one]));
  const withRedeploy = (one: RunLine): Needed => {
    const redeploy = line.spec.awaits?.includes(one.spec.redeployedBy ?? '') ? redeploys.get(one.spec.redeployedBy as string) : undefined;
    return redeploy === undefined ? one : { ...one, redeploy };
  };
  return { state: 'ready', lines: found.filter((one) => one.spec.redeploy === undefined).map(withRedeploy) };
}

/** Why an output that the line needs will never come: the outside event that gives it has failed. */
export async function failedEvent(world: World, run: Run, { spec }: RunLine): Promise<Problem | undefined> {
  for (const { line, output } of outputsIn(spec.params)) {
    const producer = await readRunLine(world.table, run.id, line);
    const by = producer?.spec.redeployedBy;
    const redeploy = by === undefined ? undefined : await readRunLine(world.table, run.id, by);
    const given = { ...producer?.result?.outputs, ...redeploy?.result?.outputs };
    const failed = producer && eventFailureOf(redeploy ? { ...producer, redeploy } : producer);
    if (failed && given[output] === undefined) return failed;
  }
  return undefined;
}

/** Why an output that the line still waits for will never come. */
export function failedInput(params: ResolvedParams, needed: readonly Needed[]): Problem | undefined {
  const awaited = new Set(leaves(params).flatMap(({ value }) => pendingIn(value).map((ref) => splitReference(ref).line)));
  return needed.flatMap((one) => (awaited.has(one.spec.id) ? (eventFailureOf(one) ?? []) : []))[0];
}

/** Resolves a line's parameters against the outputs of the lines it needs and the run's secrets. A text that became sensitive is masked as a whole, too. */
export function resolveLine(world: World, run: Run, line: RunLine, needed: readonly Needed[], secrets: RunSecrets): ResolvedParams {
  const outputs = new Map(needed.map((one) => [one.spec.id, openOutputs(world, secrets, one)]));
  const params = resolveParams(line.spec.params, {
    output: (id, name) =>
      sourceOf(
        world,
        run,
        needed.find((one) => one.spec.id === id),
        name,
        outputs.get(id)?.[name],
      ),
    secret: (reference) => secrets.references[reference],
  });
  for (const { path, value } of leaves(params)) {
    if (value.kind === 'known' && value.parts && value.sensitive) world.redactor.register(String(value.value), `${line.spec.id}.${path}`);
  }
  return params;
}

/** What a finished line says of one of its outputs. In a plan, one that is given once comes while the line would still make something. */
function sourceOf(world: World, run: Run, line: Needed | undefined, output: string, value: Scalar | undefined): OutputSource {
  if (!line) return { value, sensitive: false };
  const spec = declaredOutputs(opOf(world, line.spec), line.spec.params)[output];
  // An output that carried a registered value was not stored in clear either (`storeOutputs`).
  const sensitive = spec?.sensitive === true || spec?.once === true || stored(line)[output] === null;
  if (!spec?.once) return { value, sensitive };
  const { once, status, changes = [] } = line.result ?? {};
  const awaited = run.phase === 'planning' && (status === 'pending' || changes.some(({ kind }) => kind === 'create'));
  return { value, sensitive, once: { of: once?.[output], ...(awaited ? { awaited } : {}) } };
}

const stored = ({ result, redeploy }: Needed): LineResult['outputs'] => ({ ...result?.outputs, ...redeploy?.result?.outputs });

/** A finished line's outputs: the public ones from its result, the sensitive ones unsealed; with those of its redeploy. */
function openOutputs(world: World, secrets: RunSecrets, { redeploy, ...line }: Needed): Record<string, Scalar> {
  if (redeploy) return { ...openOutputs(world, secrets, line), ...openOutputs(world, secrets, redeploy) };
  const result = line.result as LineResult;
  const known = Object.entries(result.outputs).filter((entry): entry is [string, Scalar] => entry[1] !== null);
  return { ...Object.fromEntries(known), ...openSealed(world, secrets, line) };
}
