import type { Tool } from '../../shared/stacks/tool-work.ts';
import type { OpenDriver, ToolDriver, Workplace } from './driver.ts';
import { terraformDriver } from './terraform/driver.ts';
import { ToolFailed } from './tool-failed.ts';

const drivers: Readonly<Partial<Record<Tool, OpenDriver>>> = { terraform: terraformDriver, tofu: terraformDriver };

/** @throws ToolFailed for a tool that this program has no driver for. */
export function driverOf(place: Workplace): ToolDriver {
  const open = drivers[place.work.tool];
  if (open === undefined) throw new ToolFailed({ cause: 'tool-missing', message: `This version does not run ${place.work.tool}.` });
  return open(place);
}
