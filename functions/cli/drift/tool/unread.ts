import { driftRecord } from '../../../../shared/drift/drift-record.ts';
import { nodeOf } from '../../../../shared/drift/placement.ts';
import type { Engine, Read, UnobservedReason } from '../../../../shared/drift/record.ts';
import { leastVersions, versionFault } from '../../../../shared/stacks/version.ts';
import type { ToolFound, ToolRead } from './tool-read.ts';

/** One record that says why nothing is known, of the address that was asked for, else of the line. It is neither in sync nor drift. */
export function unread(asked: ToolRead, of: { readonly engine: Engine; readonly read: Read }, reason: UnobservedReason, detail: string): ToolFound {
  const { member, resource: address = member, context } = asked;
  const place = address === member ? { node: null } : nodeOf({ member, address }, context.graph);
  const record = driftRecord({ member, ...of, address, ...place, observedAt: context.observedAt, status: 'not-observed', unobserved: { reason, detail } });
  return { ...of, records: [record], notes: [], unread: detail };
}

/** What keeps the tool that is there from being used, with what to do; undefined: nothing. */
export function versionWords({ tool, version }: ToolRead['line'], found: string | undefined): string | undefined {
  switch (versionFault(tool, found, version)) {
    case undefined:
      return undefined;
    case 'wrong':
      return `The line pins ${tool} ${version}, and ${found} is on the PATH: put that version there.`;
    case 'too-old':
      return `${tool} ${found} is on the PATH, and ${leastVersions[tool]} is the least that is read: update it.`;
    case 'unknown':
      return `What is called ${tool} on the PATH does not say its version: put ${tool} ${version ?? `${leastVersions[tool]} or newer`} there.`;
  }
}

/** Why a program did not run at all, with what to do; undefined: it ran. */
export function missingWords(tool: string, end: string): string | undefined {
  if (end === 'missing') return `${tool} is not installed, or not on the PATH: install it.`;
  return end === 'not-executable' ? `${tool} was found on the PATH and cannot be executed: look at its permissions.` : undefined;
}
