import { type Finding, fine, wrong } from './finding.ts';
import type { Probes } from './probes.ts';

/**
 * Where infrastructure tools run, and what the roles of stacks have to trust. Whether such a role can be taken nobody but the worker can try: a line
 * that may not take it says ROLE_REFUSED.
 */
export async function stackToolFindings(probes: Pick<Probes, 'projects'>, outputs: Readonly<Record<string, string>>): Promise<Finding[]> {
  const names = [String(outputs['ToolPlanProjectName']), String(outputs['ToolApplyProjectName'])];
  const there = await probes.projects(names);
  const missing = names.filter((name) => !there.includes(name));
  const roles = fine('roles of stacks', `named lockkeeper-stack-…, they have to trust ${outputs['LineWorkerRoleArn']}`);
  if (missing.length === 0) return [fine('tool projects', names.join(' and ')), roles];
  return [
    wrong(
      'tool projects',
      `there is no CodeBuild project ${missing.join(', nor ')}: no stack can be planned or applied`,
      'Deploy this version: `npx cdk deploy`.',
    ),
    roles,
  ];
}
