import { createMasking } from '../masking.ts';
import type { Engine } from '../record.ts';
import type { Json } from './json.ts';
import { isThere, under, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { engineOf, evidenceOf, markState, objectsOfState } from './terraform.ts';
import { UnreadableError } from './unreadable.ts';

/**
 * `terraform show -json` of a state (R3.19): what is in it was recorded by the last apply, and nothing is said of what is live (R3.9). What
 * is declared and not in it is told by a plan alone: the document of a state does not say what is declared.
 *
 * Checked against recordings of Terraform 1.11 and OpenTofu 1.12.
 *
 * @throws UnreadableError
 */
export function readTerraformState(document: Json, context: ReaderContext, { engine: given }: { readonly engine?: Engine } = {}): DriftReading {
  const root = whole(document);
  if (isThere(under(root, 'resource_changes')) || isThere(under(root, 'planned_values')))
    throw new UnreadableError('this is a plan, and not a state', { pointer: '' });
  const values = under(root, 'values');
  const objects = isThere(values) ? objectsOfState(values) : [];
  const engine = engineOf(root, given, providersOf(objects.map(({ at }) => under(at, 'provider_name').value)));
  const evidence = evidenceOf(root, engine, 'show -json');
  const masking = createMasking();
  if (isThere(values)) markState(values, masking);
  const findings = objects.map(({ address, type }): Finding => ({ address, resourceType: type, status: 'recorded' }));
  return readingOf(findings, { engine, read: 'state', evidence, masking }, context);
}

const providersOf = (names: readonly (Json | undefined)[]): string[] => names.filter((name) => typeof name === 'string');
