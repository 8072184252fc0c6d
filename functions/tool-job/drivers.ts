import type { Tool } from '../../shared/stacks/tool-work.ts';
import type { OpenDriver, ToolDriver, Workplace } from './driver.ts';
import { pulumiDriver } from './pulumi/driver.ts';
import { terraformDriver } from './terraform/driver.ts';

const drivers: Readonly<Record<Tool, OpenDriver>> = { terraform: terraformDriver, tofu: terraformDriver, pulumi: pulumiDriver };

export const driverOf = (place: Workplace): ToolDriver => drivers[place.work.tool](place);
