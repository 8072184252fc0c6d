import type { ShownReport } from '../surfaces/shown-report.ts';
import type { RunReport } from './report.ts';
import type { ControlWorld } from './world.ts';

/** A report with what this stack is called. */
export const shownBy = ({ stackName }: Pick<ControlWorld, 'stackName'>, report: RunReport): ShownReport =>
  stackName === undefined ? report : { ...report, stack: stackName };
