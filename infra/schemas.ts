/** Writes the generated files that are checked in, the schemas and the reference pages: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { registry } from '../shared/adapters/registry.ts';
import { driftJsonSchema } from '../shared/drift/json-schema.ts';
import { planJsonSchema } from '../shared/plan/json-schema.ts';
import { policyJsonSchema } from '../shared/policy/json-schema.ts';
import { assumptionsPage } from './reference/assumptions-page.ts';
import { dashboardPictures } from './reference/dashboard-picture.ts';
import { errorsPage } from './reference/errors-page.ts';
import { planFormatPage } from './reference/plan-format-page.ts';
import { policyPage } from './reference/policy-page.ts';

const root = new URL('../', import.meta.url);
/** Each generated file, from the repository's root, and what it must hold. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'docs/assumptions.md': assumptionsPage,
  'docs/drift.v1.schema.json': () => `${JSON.stringify(driftJsonSchema(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/lockkeeper.schema.json': () => `${JSON.stringify(policyJsonSchema(), null, 2)}\n`,
  'docs/plan-format.md': () => planFormatPage(registry),
  ...Object.fromEntries(dashboardPictures.map(({ name, draw }) => [`docs/pictures/dashboard/${name}`, draw])),
  'docs/policy.md': policyPage,
  'docs/release.plan.schema.json': () => `${JSON.stringify(planJsonSchema(registry), null, 2)}\n`,
};

if (import.meta.main) {
  for (const [path, content] of Object.entries(generatedFiles)) writeFileSync(new URL(path, root), content());
}
