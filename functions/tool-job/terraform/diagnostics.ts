import type { Diagnostic, ToolFailure } from '../../../shared/stacks/tool-work.ts';
import type { ToolDiagnostic } from './events.ts';

/** Kinds by the summaries that Terraform and OpenTofu print, which have not changed since 1.5. What is not known is `failed`. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^Error acquiring the state lock/, 'locked'],
  [/^Saved plan is stale/, 'stale-plan'],
  [
    /^(?:Error|Failed to) (?:loading|load|refreshing|reading|get|getting|persist|save|saving) .*state|^Failed to (?:load|save|persist)|errored\.tfstate/i,
    'state',
  ],
  [/^Inconsistent dependency lock file|^Failed to (?:query available provider packages|install provider)|^Missing required provider/, 'provider-missing'],
  [/provisioner error$/, 'provisioner'],
  [/^Instance cannot be destroyed/, 'prevented-by-configuration'],
  [/(?:precondition|postcondition|check block assertion|Check block assertion) failed$|^Invalid value for variable/, 'condition'],
  [/^Provider produced|^Plugin did not respond|^Request cancelled|^Failed to instantiate provider/, 'provider'],
  [
    /^No value for required variable|^Unsupported |^Missing |^Invalid |^Reference to undeclared|^Duplicate |^Argument or block|^Incorrect |^Unknown variable|^Error in function call/,
    'configuration',
  ],
];

/** What may be told of a diagnostic: kind and address. Its text stays in the words. */
export function diagnosticOf({ severity, summary, address }: ToolDiagnostic): Diagnostic {
  const kind = kinds.find(([pattern]) => pattern.test(summary))?.[1] ?? 'failed';
  return { severity, kind, ...(address === undefined ? {} : { address }) };
}

/** As many as a person reads; errors first. */
const most = 50;

export const toldOf = (diagnostics: readonly ToolDiagnostic[]): Diagnostic[] =>
  [...diagnostics.filter(({ severity }) => severity === 'error'), ...diagnostics.filter(({ severity }) => severity === 'warning')]
    .slice(0, most)
    .map(diagnosticOf);

/** Who has the tool's lock, when that is what it says. Without the lock's own record it is another failure: the lock could not be asked for. */
export function lockIn(diagnostics: readonly ToolDiagnostic[]): ToolFailure['lock'] | undefined {
  const text = diagnostics.find(({ summary, detail }) => summary.startsWith('Error acquiring the state lock') && /^Lock Info:/m.test(detail))?.detail;
  if (text === undefined) return undefined;
  const field = (name: string): string | undefined => new RegExp(`^[ \\t]*${name}:[ \\t]*(\\S.*)$`, 'm').exec(text)?.[1]?.trim().slice(0, 200);
  const [who, since, id, operation] = [
    field('Who'),
    timeIn(field('Created')),
    field('ID'),
    field('Operation')
      ?.replace(/^OperationType/, '')
      .toLowerCase(),
  ];
  return {
    ...(who === undefined ? {} : { who }),
    ...(since === undefined ? {} : { since }),
    ...(id === undefined ? {} : { id }),
    ...(operation === undefined ? {} : { operation }),
  };
}

/** Go's own form, `2026-11-30 20:13:33.162355 +0000 UTC`. */
function timeIn(created: string | undefined): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,9}))? \+0000 UTC$/.exec(created ?? '');
  return parts === null ? undefined : `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
}

export const isStale = (diagnostics: readonly ToolDiagnostic[]): boolean => diagnostics.some(({ summary }) => summary.startsWith('Saved plan is stale'));
