import { placeOf } from '../../../shared/drift/address.ts';
import { listed, quoted } from '../../../shared/errors/quoted.ts';
import type { Invocation } from '../invocation.ts';
import { ReadRefused } from './refused-read.ts';

/** The two ways in which a plan's own lines are read. */
export type OwnRead = 'live-read' | 'state';

/** What is read. */
export interface ReadAsked {
  readonly read: OwnRead;
  /** One address alone: a line, or a resource of it. */
  readonly resource?: string;
  /** The line of that. */
  readonly line?: string;
}

/** What the flags ask for. @throws ReadRefused for what is of other engines, and for an address that is none of ours. */
export function readAsked({ read = 'live-read', resource, components }: Pick<Invocation, 'read' | 'resource' | 'components'>): ReadAsked {
  if (components) throw new ReadRefused('read-unsupported', 'Lines of a plan have no components: leave --components out.');
  if (read !== 'live-read' && read !== 'state')
    throw new ReadRefused('read-unsupported', `Lines of a plan are read as live-read or as state, and not as ${read}.`);
  if (resource === undefined) return { read };
  const place = placeOf(resource);
  const line = place?.instanceOf ?? place?.node;
  if (line === undefined || line.includes('/'))
    throw new ReadRefused(
      'resource-unsupported',
      `${quoted(resource)} is no address of a plan: name a line, or a resource as its record does, as 'web["key"]'.`,
    );
  return { read, resource, line };
}

/**
 * The flags with an environment in them. Nothing is guessed where several could be meant: what is read of one says nothing of the others.
 *
 * @param declared environments of the plan file at hand. @throws ReadRefused
 */
export function withEnvironment(
  invocation: Invocation,
  environment: Readonly<Record<string, string | undefined>>,
  declared: readonly string[] = [],
): Invocation {
  if (invocation.env !== undefined || environment['LOCKKEEPER_CTX_ENV']) return invocation;
  const [only, ...more] = declared;
  if (more.length > 0) throw new ReadRefused('env-required', `The plan has several environments: name one with --env, of ${listed(declared)}.`);
  return only === undefined ? invocation : { ...invocation, env: only };
}

/** @throws ReadRefused for an address whose line the plan does not have in this environment. */
export function judgeLine({ line, resource = '' }: ReadAsked, lines: readonly { readonly id: string }[]): void {
  if (line === undefined || lines.some(({ id }) => id === line)) return;
  throw new ReadRefused(
    'resource-unsupported',
    `${quoted(resource)} is of no line of this plan here: it has ${listed([...new Set(lines.map(({ id }) => id))])}.`,
  );
}
