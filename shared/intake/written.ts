import type { IntakeOf } from '../../events/intake.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * Whether the host has that comment, of that author, and it still says what the event says it does (P6): whoever has the webhook’s secret
 * could say otherwise. Asked before anything is done in its author’s name.
 *
 * @param says whether a text says it.
 */
export async function isWritten(
  world: ControlWorld,
  { id, sender, comment }: IntakeOf<'issue_comment'>,
  repository: Repository,
  says: (body: string) => boolean,
): Promise<boolean> {
  const written = comment.id === undefined ? undefined : await world.codeHost.comment(repository, comment.id);
  if (written?.login.toLowerCase() === sender.login.toLowerCase() && says(written.body)) return true;
  world.log.warn('a comment is not what the host has', { intake: id });
  return false;
}
