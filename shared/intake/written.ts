import type { IntakeOf } from '../../events/intake.ts';
import type { Comment, Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * The comment as the host has it, if it is of that author, and still says what the event says it does (P6): whoever has the webhook’s secret
 * could say otherwise. Asked before anything is done in its author’s name.
 *
 * @param says whether a text says it.
 */
export async function asWritten(
  world: ControlWorld,
  { id, sender, comment }: IntakeOf<'issue_comment'>,
  repository: Repository,
  says: (body: string) => boolean,
): Promise<Comment | undefined> {
  const written = comment.id === undefined ? undefined : await world.codeHost.comment(repository, comment.id);
  if (written?.login.toLowerCase() === sender.login.toLowerCase() && says(written.body)) return written;
  world.log.warn('a comment is not what the host has', { intake: id });
  return undefined;
}
