import type { PlanValue } from '../../../shared/plan/types.ts';

/** A line to be written down. */
export interface NewLine {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  readonly environments: readonly string[];
  readonly params: Readonly<Record<string, PlanValue>>;
}

/** Words that YAML 1.1 or 1.2 reads as something else than a text. */
const notText = /^(true|false|yes|no|on|off|null|y|n|~)$/i;

/** A text as YAML reads it back, plain where nothing in it means anything to YAML. */
export const scalarText = (text: string): string => (/^[A-Za-z_][\w./-]*$/.test(text) && !notText.test(text) ? text : JSON.stringify(text));

/** A line on one line, for a list in brackets. */
export const flowText = ({ params, ...head }: NewLine): string => flow({ ...head, ...params } as PlanValue);

function flow(value: PlanValue): string {
  if (typeof value === 'string') return scalarText(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${scalarText(key)}: ${flow(each as PlanValue)}`)
    .join(', ')} }`;
}

/** A line as a block: one key a line, and one entry a line in a map of entries. No newline at the end. */
export function blockLines({ id, adapter, op, environments, params }: NewLine): string[] {
  const head: Record<string, PlanValue> = { id, adapter, op, environments };
  const body = Object.entries({ ...head, ...params }).flatMap(([key, value]) => entryLines(key, value));
  return body.map((line, at) => `${at === 0 ? '- ' : '  '}${line}`);
}

function entryLines(key: string, value: PlanValue): string[] {
  const inner = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  const isMapOfMaps = inner.length > 0 && inner.every(([, each]) => typeof each === 'object');
  if (!isMapOfMaps) return [`${scalarText(key)}: ${flow(value)}`];
  return [`${scalarText(key)}:`, ...inner.map(([name, each]) => `  ${scalarText(name)}: ${flow(each as PlanValue)}`)];
}
