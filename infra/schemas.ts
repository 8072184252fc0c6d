/** Writes the generated schema files that are checked in: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { registry } from '../shared/adapters/registry.ts';
import { planJsonSchema } from '../shared/plan/json-schema.ts';

const root = new URL('../', import.meta.url);
/** Each generated file, from the repository's root, and what it must hold. */
export const schemaFiles: Readonly<Record<string, () => string>> = {
  'docs/release.plan.schema.json': () => `${JSON.stringify(planJsonSchema(registry), null, 2)}\n`,
};

if (import.meta.main) {
  for (const [path, content] of Object.entries(schemaFiles)) writeFileSync(new URL(path, root), content());
}
