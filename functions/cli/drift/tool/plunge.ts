import { inputBytes } from '../../../../shared/drift/readers/input.ts';
import { readPlungeResource, readPlungeStream } from '../../../../shared/drift/readers/plunge-stream.ts';
import { UnreadableError } from '../../../../shared/drift/readers/unreadable.ts';
import { driftArgs } from '../../../../shared/stacks/plunge/commands.ts';
import type { ToolFound, ToolRead } from './tool-read.ts';
import { missingWords, unread } from './unread.ts';

const of = { engine: 'plunge', read: 'refresh' } as const;

/** Reads a project whose backend is plunge's by `plunge drift`, of one resource or of all. From description, as its reader is. */
export async function readPlunge(asked: ToolRead): Promise<ToolFound> {
  const { call, context, line, resource } = asked;
  const ended = await call(driftArgs(line.root.stack ?? '', resource), {}, 'plunge');
  const fault = missingWords('plunge', ended.end);
  if (fault !== undefined) return unread(asked, of, 'cannot-read', fault);
  if (ended.end !== 'output' && ended.end !== 'failed') return unread(asked, of, 'read-failed', '`plunge drift` did not end as it should.');
  try {
    const bytes = inputBytes(ended.bytes);
    if (resource !== undefined) return { ...of, records: [readPlungeResource(bytes, resource, context)], notes: [] };
    const { records, notes } = readPlungeStream(bytes, context);
    return { ...of, records, notes };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return unread(asked, of, 'read-failed', `What \`plunge drift\` printed was not understood: ${error.says}.`);
  }
}
