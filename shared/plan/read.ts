import type { OpRegistry } from '../engine/op.ts';
import { findings } from '../yaml/findings.ts';
import { checkPlan } from './check.ts';
import { draftPlan, type Parsed } from './parse.ts';

/** Parses and checks a plan file in one go, so that a person sees every mistake at once: those of the format and those of the ops. */
export function readPlan(bytes: Uint8Array | string, file: string, registry: OpRegistry): Parsed {
  const { draft, problems, warnings } = draftPlan(bytes, file);
  if (draft === undefined) return { problems, warnings };
  const { add, all } = findings(problems);
  for (const problem of checkPlan(draft, registry)) add(() => problem);
  const everything = all();
  return everything.length === 0 ? { plan: draft, problems: everything, warnings } : { problems: everything, warnings };
}
