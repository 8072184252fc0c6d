import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import type { Comment } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';
import type { Author } from './identity.ts';
import { orFound } from './or-found.ts';

const commentAnswer = z.object({ id: z.int(), body: z.string().nullish(), user: z.object({ login: z.string(), type: z.string() }).nullable() });
const dated = commentAnswer.extend({ created_at: z.iso.datetime() });
const written = z.object({ id: z.int() });

export async function commentOf(api: RepositoryApi, id: number): Promise<Comment | undefined> {
  const found = await orAbsent(api.ask({ route: 'GET /issues/comments/{id}', parameters: { id } }, dated));
  return found?.user ? { login: found.user.login, body: found.body ?? '', at: found.created_at } : undefined;
}

export interface CommentText {
  readonly pullRequest: number;
  readonly marker: string;
  readonly body: string;
}

/**
 * Writes the one comment that carries the marker: the known one, else the one found, else a new one. Only comments that we
 * wrote are looked at: somebody may quote ours, marker and all.
 *
 * @returns its id.
 */
export async function upsertComment(
  api: RepositoryApi,
  wrote: (author: Author | null) => Promise<boolean>,
  text: CommentText,
  known?: number,
): Promise<number> {
  const { pullRequest, marker, body } = text;
  const update = (id: number) => orAbsent(api.ask({ route: 'PATCH /issues/comments/{id}', parameters: { id, body } }, written));
  const find = async (): Promise<number | undefined> => {
    const listed = api.list({ route: 'GET /issues/{pullRequest}/comments', parameters: { pullRequest } }, z.array(commentAnswer), (page) => page);
    for await (const comment of listed) {
      if (comment.body?.includes(marker) && (await wrote(comment.user))) return comment.id;
    }
    return undefined;
  };

  if (known !== undefined && (await update(known))) return known;
  const found = await find();
  if (found !== undefined && (await update(found))) return found;
  const create = api.ask({ route: 'POST /issues/{pullRequest}/comments', parameters: { pullRequest, body } }, written);
  return (await orFound(create, find)).id;
}
