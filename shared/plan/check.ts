/** What the ops that exist say about a plan: that they exist, that they take these parameters and blocks, that they have these outputs. */

import { declaredOutputs } from '../engine/declared-outputs.ts';
import type { Op, OpRegistry } from '../engine/op.ts';
import type { Problem } from '../errors/error.ts';
import { didYouMean } from '../errors/nearest.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { type Add, findings } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { isLaterAdapter, isLaterOp } from './later-ops.ts';
import { circleText, orderLines } from './order.ts';
import { needsOf, referencesIn } from './references.ts';
import { lineKeys } from './schema.ts';
import { shapeProblems } from './shape-problems.ts';
import type { Plan, PlanLine } from './types.ts';

/** Every mistake the ops find in the plan, in the order of the file. Empty: the plan can be run, in some environment. */
export function checkPlan(plan: Plan, registry: OpRegistry): readonly Problem[] {
  const { add, all } = findings();
  const ops = plan.lines.map((line, index) => opOf(line, index, plan, registry, add));
  for (const [index, line] of plan.lines.entries()) {
    const op = ops[index];
    if (op !== undefined) judgeParams(line, index, op, plan, add);
  }
  judgeBlocks(plan, ops, registry, add);
  judgeOutputs(plan, ops, add);
  judgeCircles(plan, add);
  return all();
}

function opOf(line: PlanLine, index: number, plan: Plan, registry: OpRegistry, add: Add): Op | undefined {
  const op = registry.find(line.adapter, line.op);
  if (op !== undefined) return op;
  const isAdapter = registry.adapters().includes(line.adapter);
  const [code, what] = isAdapter ? (['OP_UNKNOWN', unknownOp] as const) : (['ADAPTER_UNKNOWN', unknownAdapter] as const);
  const at = plan.positionOf(['changes', index, isAdapter ? 'op' : 'adapter']);
  add(() => ({ code, message: `line ${quoted(line.id)}: ${what(registry, line.adapter, line.op)}`, at }));
  return undefined;
}

function unknownOp(registry: OpRegistry, adapter: string, op: string): string {
  const known = registry.ops(adapter);
  const name = quoted(`${adapter}.${op}`);
  const what = isLaterOp(adapter, op) ? `${name} is not available in this version yet` : `there is no op ${name}${didYouMean(op, known)}`;
  return `${what}: use ${listed(known, 'or')}`;
}

function unknownAdapter(registry: OpRegistry, adapter: string): string {
  const known = registry.adapters();
  const what = isLaterAdapter(adapter)
    ? `the adapter ${quoted(adapter)} is not available in this version yet`
    : `there is no adapter ${quoted(adapter)}${didYouMean(adapter, known)}`;
  return `${what}: use ${listed(known, 'or')}`;
}

function judgeParams(line: PlanLine, index: number, op: Op, plan: Plan, add: Add): void {
  const { positionOf } = plan;
  const judged = { code: 'PARAM_INVALID', schema: op.params, value: line.params, path: ['changes', index], positionOf } as const;
  for (const problem of shapeProblems({ ...judged, opening: `line ${quoted(line.id)}: `, furtherKeys: lineKeys })) add(() => problem);
}

/** Each adapter's block once for each shape its ops give it; a block without lines is judged all the same. */
function judgeBlocks(plan: Plan, ops: readonly (Op | undefined)[], registry: OpRegistry, add: Add): void {
  const inUse = new Set(ops.filter((op) => op !== undefined));
  for (const adapter of Object.keys(plan.providers)) {
    if (!registry.adapters().includes(adapter)) {
      // A block that a later version will understand is kept for it; a line that uses it is refused by itself.
      const at = () => plan.positionOf(['providers', adapter], 'key');
      if (!isLaterAdapter(adapter)) add(() => ({ code: 'ADAPTER_UNKNOWN', message: `providers: ${unknownAdapter(registry, adapter)}`, at: at() }));
      continue;
    }
    const used = [...inUse].some((op) => op.adapter === adapter);
    const any = used ? undefined : registry.find(adapter, registry.ops(adapter)[0] ?? '');
    if (any !== undefined) inUse.add(any);
  }
  const told = new Set<string>();
  for (const op of inUse) {
    const path = ['providers', op.adapter];
    const opening = `provider block ${quoted(op.adapter)}: `;
    const value = plan.providers[op.adapter] ?? {};
    for (const problem of shapeProblems({ code: 'PLAN_INVALID', schema: op.provider, value, path, positionOf: blockPositions(op.adapter, plan), opening })) {
      if (!told.has(problem.message)) add(() => problem);
      told.add(problem.message);
    }
  }
}

/** Where a block is missing altogether, the first line that needs it is pointed at. */
function blockPositions(adapter: string, plan: Plan): PositionOf {
  if (Object.hasOwn(plan.providers, adapter)) return plan.positionOf;
  const index = plan.lines.findIndex((line) => line.adapter === adapter);
  return () => plan.positionOf(['changes', index, 'adapter']);
}

function judgeOutputs(plan: Plan, ops: readonly (Op | undefined)[], add: Add): void {
  const opOfLine = new Map(plan.lines.map((line, index) => [line.id, ops[index]]));
  const paramsOfLine = new Map(plan.lines.map((line) => [line.id, line.params]));
  for (const [index, line] of plan.lines.entries()) {
    for (const { line: needed, output, path } of referencesIn(line.params)) {
      const op = opOfLine.get(needed);
      const declared = op && declaredOutputs(op, paramsOfLine.get(needed) ?? {});
      if (op === undefined || declared === undefined || Object.hasOwn(declared, output)) continue;
      add(() => {
        const message = `line ${quoted(line.id)}: ${unknownOutput(op, Object.keys(declared), needed, output)}`;
        return { code: 'REF_OUTPUT_UNKNOWN', message, at: plan.positionOf(['changes', index, ...path]) };
      });
    }
  }
}

function unknownOutput(op: Op, valid: readonly string[], line: string, output: string): string {
  const full = valid.map((name) => `${line}.${name}`);
  const use = valid.length === 0 ? 'it has none' : `use ${listed(full, 'or')}`;
  return `${quoted(`${op.adapter}.${op.name}`)} has no output ${quoted(output)}${didYouMean(output, valid)}: ${use}`;
}

function judgeCircles(plan: Plan, add: Add): void {
  const { circles } = orderLines(new Map(plan.lines.map((line) => [line.id, needsOf(line)])));
  const lines = new Map(plan.lines.map((line) => [line.id, line]));
  for (const circle of circles) {
    const first = lines.get(circle[0] ?? '');
    const message = `lines need each other in a circle: ${circleText(circle)}: take out one of these references`;
    add(() => ({ code: 'REF_CYCLE', message, ...(first && { at: first.at }), details: { circle: circle.slice(0, 100) } }));
  }
}
