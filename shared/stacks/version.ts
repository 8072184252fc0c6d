import type { Tool } from './tool-work.ts';

/** The least version of each tool that this version of Lockkeeper works with. */
export const leastVersions: Readonly<Record<Tool, string>> = { terraform: '1.5.0', tofu: '1.6.0', pulumi: '3.229.0' };

/** What is there in place of what is needed: below the least, not the one that the line pins, or nothing that is a version. */
export type VersionFault = 'too-old' | 'wrong' | 'unknown';

/** Undefined: that version may be used. @param pinned the only one that may. */
export function versionFault(tool: Tool, found: string | undefined, pinned: string | undefined): VersionFault | undefined {
  const [there, least] = [numbersOf(found ?? ''), numbersOf(leastVersions[tool])];
  if (there === undefined || least === undefined) return 'unknown';
  if (pinned !== undefined && pinned !== found?.replace(/^v/, '')) return 'wrong';
  return isBefore(there, least) ? 'too-old' : undefined;
}

/** Major, minor, patch. What stands behind them counts for nothing: a candidate of a release is taken for it. */
function numbersOf(version: string): readonly number[] | undefined {
  const parts = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/.exec(version);
  return parts?.slice(1).map(Number);
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const differing = one.findIndex((part, index) => part !== other[index]);
  return differing >= 0 && (one[differing] ?? 0) < (other[differing] ?? 0);
}
