/** From a plan to the lines one run works on: of its environment, in order, with `${ctx.…}` filled in and what ops add by default. */
import type { Op, OpRegistry } from '../engine/op.ts';
import { LockkeeperError, type Problem, problemOf } from '../errors/error.ts';
import { didYouMean } from '../errors/nearest.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { fillIn } from './fill-in.ts';
import { circleText, orderLines } from './order.ts';
import { mapTexts, needsOf, referencesIn, secretsIn } from './references.ts';
import { shapeProblems } from './shape-problems.ts';
import {
  type ActiveLine,
  isText,
  type Params,
  type Plan,
  type PlanLine,
  type PlanPath,
  type ProviderBlock,
  type ReleaseContext,
  type TextForm,
} from './types.ts';

/** The value of a variable where Lockkeeper runs, for provider blocks that may name one. */
export type VariableOf = (name: string) => string | undefined;
const unset: VariableOf = () => undefined;

/**
 * The active lines of a checked plan, each after the lines it needs.
 *
 * @throws LockkeeperError ENV_UNKNOWN; REF_FILTERED for a need that the environment leaves out; REF_CYCLE; CTX_NULL for a variable
 * without a value here; PARAM_INVALID for what the values filled in, or the op's defaults, make wrong; ADAPTER_UNKNOWN, OP_UNKNOWN
 * where the plan was not checked. The first in file order is thrown; `details.problems` holds all when there are more.
 */
export function activateLines(plan: Plan, context: ReleaseContext, registry: OpRegistry, variable: VariableOf = unset): readonly ActiveLine[] {
  judgeEnvironment(plan, context.environment);
  const active = plan.lines.flatMap((line, index) => (runsIn(line, context.environment) ? [{ line, index }] : []));
  const needs = new Map(active.map(({ line }) => [line.id, needsOf(line)]));
  const filtered = active.flatMap(({ line, index }) => filteredNeeds(line, index, plan, needs, context.environment));
  refuseAny(filtered);

  const { ids, circles } = orderLines(needs);
  if (circles[0] !== undefined) throw new LockkeeperError({ code: 'REF_CYCLE', message: `lines need each other in a circle: ${circleText(circles[0])}` });

  const problems: Problem[] = [];
  const ready = new Map<string, ActiveLine>();
  for (const { line, index } of active) {
    try {
      ready.set(line.id, activeLine(line, index, needs.get(line.id) ?? [], plan, { context, registry, variable }));
    } catch (error) {
      if (!(error instanceof LockkeeperError)) throw error;
      problems.push({ at: line.at, ...problemOf(error) });
    }
  }
  refuseAny(problems);
  return ids.flatMap((id) => ready.get(id) ?? []);
}

/** Refuses an environment that nobody has named. @throws LockkeeperError ENV_UNKNOWN */
export function judgeEnvironment({ environments: known }: Pick<Plan, 'environments'>, environment: string): void {
  if (known.includes(environment)) return;
  const message = `the environment ${quoted(environment)} is not declared${didYouMean(environment, known)}: use ${listed(known, 'or')}`;
  throw new LockkeeperError({ code: 'ENV_UNKNOWN', message, details: { known } });
}

const runsIn = (line: PlanLine, environment: string): boolean => line.environments?.includes(environment) ?? true;

function filteredNeeds(line: PlanLine, index: number, plan: Plan, active: ReadonlyMap<string, unknown>, environment: string): Problem[] {
  const filtered = (id: string, path: PlanPath): Problem[] => {
    if (active.has(id)) return [];
    const message = `line ${quoted(line.id)}: it needs ${quoted(id)}, which does not run in ${quoted(environment)}: give both the same \`environments\``;
    return [{ code: 'REF_FILTERED', message, at: plan.positionOf(['changes', index, ...path]) }];
  };
  const depended = line.dependsOn.flatMap((id, item) => filtered(id, ['depends_on', item]));
  return [...depended, ...referencesIn(line.params).flatMap((reference) => filtered(reference.line, reference.path))];
}

function refuseAny(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new LockkeeperError(problems.length === 1 ? first : { ...first, details: { ...first.details, problems } });
}

interface Activating {
  readonly context: ReleaseContext;
  readonly registry: OpRegistry;
  readonly variable: VariableOf;
}

function activeLine(line: PlanLine, index: number, needs: readonly string[], plan: Plan, { context, registry, variable }: Activating): ActiveLine {
  const op = registry.find(line.adapter, line.op);
  if (op === undefined)
    throw new LockkeeperError({ code: 'OP_UNKNOWN', message: `line ${quoted(line.id)}: there is no op ${quoted(`${line.adapter}.${line.op}`)}` });
  const params = op.defaults(filledParams(line, index, op, plan, context), context);
  const block = (plan.providers[line.adapter] ?? {}) as ProviderBlock;
  const provider = op.providerFor?.(block, params, variable) ?? block;
  const credentials = op.credentialsFor?.(provider).map((credential) => credential.variable) ?? [];
  const own = credentials.length === 0 ? {} : { credentials };
  return { id: line.id, adapter: line.adapter, op: line.op, params, provider, needs, secrets: secretsIn(params), ...own };
}

/**
 * The parameters with `${ctx.…}` filled in, and every text with outputs in it made a form of its own. What was text with a hole in it while
 * the file was checked is held to the op's schema now; one that waits for an output stays the text it is, there.
 */
function filledParams(line: PlanLine, index: number, op: Op, plan: Plan, context: ReleaseContext): Params {
  const problems: Problem[] = [];
  const opening = `line ${quoted(line.id)}: `;
  const filled = new Map<string, string | TextForm>();
  mapTexts(line.params, (text, path) => {
    if (!text.includes('${') || filled.has(text)) return text;
    const value = fillIn(text, context);
    if (typeof value === 'string' || 'from' in value) filled.set(text, value);
    else {
      const message = `${opening}${quoted(`\${${value.missing}}`)} has no value in this release: run it where it has one, or limit the line's \`environments\``;
      problems.push({ code: 'CTX_NULL', message, at: plan.positionOf(['changes', index, ...path]) });
    }
    return text;
  });
  refuseAny(problems);
  if (filled.size === 0) return line.params;
  const judged = mapTexts(line.params, (text) => (isText(filled.get(text)) ? text : (filled.get(text) ?? text)));
  refuseAny(shapeProblems({ code: 'PARAM_INVALID', schema: op.params, value: judged, path: ['changes', index], positionOf: plan.positionOf, opening }));
  return mapTexts(line.params, (text) => filled.get(text) ?? text);
}
