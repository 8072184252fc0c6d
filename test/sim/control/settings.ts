import { z } from 'zod';
import type { World } from '../world/world.ts';

const pageSize = z.int().min(1).optional();
const unknownProjects = z.enum(['refuse', 'make']).optional();

/** What can be set about a provider's behaviour. Absent keys stay as they are. */
export const settingsSchema = z.strictObject({
  neon: z.strictObject({ pageSize, operationMs: z.number().min(0).optional(), unknownProjects }).optional(),
  vercel: z
    .strictObject({
      pageSize,
      decryptLists: z.boolean().optional(),
      refuseKeys: z.array(z.string()).optional(),
      builds: z.enum(['auto', 'never']).optional(),
      outcome: z.enum(['wait', 'READY', 'ERROR', 'CANCELED']).optional(),
      outcomeMs: z.number().min(0).optional(),
      unknownProjects,
    })
    .optional(),
  clerk: z.strictObject({ pageSize, envelope: z.boolean().optional() }).optional(),
  github: z.strictObject({ pageSize }).optional(),
  rest: z
    .strictObject({
      pageSize,
      envelope: z.boolean().optional(),
      readyMs: z.number().min(0).optional(),
      outcome: z.enum(['ready', 'failed']).optional(),
      unique: z.array(z.string()).optional(),
      existsStatus: z.int().min(400).max(599).optional(),
      goneStatus: z.int().min(400).max(599).optional(),
      hidden: z.array(z.string()).optional(),
      once: z.array(z.string()).optional(),
    })
    .optional(),
});

export type SettingsInput = z.input<typeof settingsSchema>;

/** Sets what is given. */
export function applySettings(world: World, input: SettingsInput): void {
  const given = settingsSchema.parse(input);
  Object.assign(world.neon.settings, present(given.neon));
  Object.assign(world.vercel.settings, present(given.vercel));
  Object.assign(world.clerk.settings, present(given.clerk));
  Object.assign(world.github.settings, present(given.github));
  Object.assign(world.rest.settings, present(given.rest));
}

function present(given: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}
