import { isMap, type Json, memberOf } from '../../../shared/drift/readers/json.ts';
import type { StackAction } from '../../../shared/stacks/tool-work.ts';

/** What the tool reported, by its own words: secret, but for `severity` and what is read out of the others. */
export interface ToolDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
}

/** One line of the tool's JSON output ("Machine-Readable UI", 1.x) that a job has a use for. */
export type ToolEvent =
  | { readonly event: 'diagnostic'; readonly diagnostic: ToolDiagnostic }
  | { readonly event: 'begun' | 'done' | 'broken'; readonly address: string; readonly action: StackAction }
  | { readonly event: 'said'; readonly message: string };

/** Undefined for a line that is none, as a provider's plain text between them. */
export function eventIn(line: string): ToolEvent | undefined {
  const value = jsonIn(line);
  if (!isMap(value)) return undefined;
  const type = textOf(value, 'type');
  if (type === 'diagnostic') return diagnosticIn(value);
  const step = type === undefined ? undefined : steps[type];
  return (step === undefined ? undefined : stepIn(step, value)) ?? { event: 'said', message: textOf(value, '@message') ?? '' };
}

const steps: Readonly<Record<string, 'begun' | 'done' | 'broken'>> = { apply_start: 'begun', apply_complete: 'done', apply_errored: 'broken' };

const actions: Readonly<Record<string, StackAction>> = {
  create: 'create',
  read: 'read',
  update: 'update',
  delete: 'delete',
  import: 'import',
  forget: 'forget',
};

function stepIn(event: 'begun' | 'done' | 'broken', value: Json): ToolEvent | undefined {
  const hook = isMap(value) ? memberOf(value, 'hook') : undefined;
  const resource = isMap(hook) ? memberOf(hook, 'resource') : undefined;
  const [address, named] = [textOf(resource, 'addr'), textOf(hook, 'action')];
  const action = named === undefined ? undefined : actions[named];
  return address === undefined || action === undefined ? undefined : { event, address, action };
}

function diagnosticIn(value: Json): ToolEvent | undefined {
  const diagnostic = isMap(value) ? memberOf(value, 'diagnostic') : undefined;
  const address = textOf(diagnostic, 'address');
  return {
    event: 'diagnostic',
    diagnostic: {
      severity: textOf(diagnostic, 'severity') === 'warning' ? 'warning' : 'error',
      summary: textOf(diagnostic, 'summary') ?? '',
      detail: textOf(diagnostic, 'detail') ?? '',
      ...(address === undefined || address === '' ? {} : { address }),
    },
  };
}

function jsonIn(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

function textOf(value: Json | undefined, key: string): string | undefined {
  const text = isMap(value) ? memberOf(value, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}
