/** Vercel's environment variables: what the API answers, and which record a name of the plan means. */
import { z } from 'zod';
import type { LiveResource } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { sha256, stateDigest } from '../digest.ts';
import { everyBranch } from './target.ts';

export const variableRecord = z.object({
  id: z.string().min(1),
  key: z.string(),
  /** Plain text only where `decrypted` says so, or for type `plain`; else ciphertext, or nothing. */
  value: z.string().optional(),
  type: z.string(),
  target: z.union([z.string(), z.array(z.string())]).nullish(),
  gitBranch: z.string().nullish(),
  customEnvironmentIds: z.array(z.string()).nullish(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
  decrypted: z.boolean().optional(),
});
export type VariableRecord = z.infer<typeof variableRecord>;

/** Name in the plan → the record that is live under it. */
export type LiveVariables = Readonly<Record<string, VariableRecord>>;

/** Which record is meant: one name, for one target, for one branch or for all (`*`). */
export interface VariablePlace {
  readonly target: string;
  readonly branch: string;
  readonly name: string;
}

export const keyOf = ({ target, branch, name }: VariablePlace): string => `env:${target}:${branch}:${name}`;
export const labelOf = ({ target, branch, name }: VariablePlace): string =>
  `Vercel variable ${name} (${target}${branch === everyBranch ? '' : `, branch ${branch}`})`;

/** The place a key names; undefined for a text that is no key. Neither branches nor names hold a colon. */
export function placeOf(key: string): VariablePlace | undefined {
  const [, target, branch, name] = /^env:([^:]+):([^:]+):([^:]+)$/.exec(key) ?? [];
  return target === undefined || branch === undefined || name === undefined ? undefined : { target, branch, name };
}

export const isAt = (record: VariableRecord, place: VariablePlace): boolean =>
  record.key === place.name && targetsOf(record).includes(place.target) && branchOf(record) === place.branch;

/** True when a change of the record would change other environments too. */
export const isShared = (record: VariableRecord): boolean => targetsOf(record).length + (record.customEnvironmentIds ?? []).length > 1;

export const targetsOf = ({ target }: VariableRecord): readonly string[] => (typeof target === 'string' ? [target] : (target ?? []));
export const branchOf = (record: VariableRecord): string => record.gitBranch || everyBranch;

/** What stands in the way of a line that would have to change a shared record. */
export const sharedRecord = (place: VariablePlace): LockkeeperError =>
  new LockkeeperError({
    code: 'PROVIDER_CONFLICT',
    message: `Vercel variable \`${place.name}\` for ${place.target} is one record with other environments: changing it would change them. Give ${place.target} a record of its own at Vercel.`,
    details: { adapter: 'vercel', name: place.name },
  });

/** The value in clear; undefined for one that this answer does not show, or that Vercel never shows (type `sensitive`). */
export function readable(record: VariableRecord): string | undefined {
  return record.type === 'plain' || (record.decrypted === true && record.type === 'encrypted') ? record.value : undefined;
}

/** Only ciphertext came, and asking for the one record may give the value. */
export const isSealed = (record: VariableRecord): boolean => record.type === 'encrypted' && record.decrypted !== true;

/**
 * The record as a resource at `place`. The hash is the value's; a record that moved away from its place has another one, and so
 * has a value nobody can read: its time of change stands in for it.
 */
export function resourceAt(record: VariableRecord, place: VariablePlace): LiveResource {
  const value = readable(record);
  const there = isAt(record, place);
  const seen = { id: record.id, changed: String(record.updatedAt ?? ''), targets: targetsOf(record).join(','), branch: branchOf(record), name: record.key };
  return {
    key: keyOf(place),
    id: record.id,
    hash: value !== undefined && there ? sha256(value) : stateDigest(seen),
    label: labelOf(place),
    ...(record.createdAt === undefined ? {} : { createdAt: record.createdAt }),
    ...(record.updatedAt === undefined ? {} : { changedAt: record.updatedAt }),
    ...(there ? {} : { moved: true }),
  };
}

/** A record whose value is nobody's business here: its hash says that it is there, and stays when the value changes. */
export function keptAt(record: VariableRecord, place: VariablePlace): LiveResource {
  const { changedAt: _whenever, ...resource } = resourceAt(record, place);
  return { ...resource, hash: keptHash, kept: true };
}

/** The hash of every kept value. */
export const keptHash = stateDigest({ kept: 'true' });
