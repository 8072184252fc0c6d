import { inClear, type Property, unknown } from './property.ts';
import type { Properties } from './stack.ts';
import type { Step } from './steps.ts';

/** What a plan that was saved holds. */
export type SavedPlan = { readonly resourcePlans: Readonly<Record<string, { readonly steps: readonly string[]; readonly state: Properties }>> };

export function planOf(steps: readonly Step[]): object {
  const byUrn = new Map<string, Step[]>();
  for (const step of steps) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const plans = [...byUrn].map(([urn, all]) => [
    urn,
    { goal: {}, steps: all.map(({ op }) => op), state: all.find(({ inputs }) => inputs !== undefined)?.inputs ?? {} },
  ]);
  return { manifest: { time: '2026-11-30T20:00:00Z', magic: 'm', version: 'v3.259.0' }, config: {}, resourcePlans: Object.fromEntries(plans) };
}

/** The refusal of a saved plan, with its values in clear, as the recording has it. */
export function violation(plan: SavedPlan, step: Step): string | undefined {
  const planned = plan.resourcePlans[step.urn];
  if (planned === undefined) return `resource ${step.urn} violates plan: resource is not in plan`;
  if (!planned.steps.includes(step.op)) return `resource ${step.urn} violates plan: ${step.op} is not allowed: ${planned.steps.join(', ')}`;
  const [was, is] = [inClear(planned.state as Property), inClear((step.inputs ?? planned.state) as Property)] as [Properties, Properties];
  const moved = Object.keys({ ...was, ...is }).find((key) => was[key] !== unknown && JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  return moved === undefined
    ? undefined
    : `resource ${step.urn} violates plan: properties changed: ~~${moved}[{${String(was[moved])}}!={${String(is[moved])}}]`;
}

/** What the plan would have changed, and nothing was asked for. */
export function unmet({ resourcePlans }: SavedPlan, steps: readonly Step[]): { readonly urn: string; readonly fault: string } | undefined {
  const found = Object.entries(resourcePlans).find(
    ([urn, { steps: planned }]) => planned.some((op) => op !== 'same') && !steps.some((step) => step.urn === urn),
  );
  return found === undefined ? undefined : { urn: found[0], fault: `expected resource operations for ${found[0]} but none were seen` };
}
