import { join } from 'node:path';
import type { ToolDriver, Workplace } from '../driver.ts';
import { applyPlan } from './apply.ts';
import { terraformCalls } from './calls.ts';
import { makePlan } from './plan.ts';
import { prepareRoot, usedVersion } from './prepare.ts';

/** Terraform and OpenTofu, which take the same arguments and write the same documents. */
export function terraformDriver(place: Workplace): ToolDriver {
  const calls = terraformCalls(place);
  const planFile = join(place.folder, 'saved.tfplan');
  return {
    version: () => usedVersion(place, calls),
    prepare: () => prepareRoot(place, calls),
    plan: (version) => makePlan(place, calls, planFile, version),
    apply: (plan) => applyPlan(place, calls, { file: planFile, ...plan }),
  };
}
