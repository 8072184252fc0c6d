import { createHash } from 'node:crypto';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { boxId } from './box.ts';
import type { Tick } from './tick.ts';

/**
 * Tells people what became of their ticks, in one comment for all that are to be told since the last: it names them, so that the host tells
 * them. A comment whose answer was lost is found by its marker and written again, word for word.
 */
export async function tellTickers(
  world: ControlWorld,
  { repository, number }: { readonly repository: Repository; readonly number: number },
  ticks: readonly Tick[],
): Promise<void> {
  const untold = ticks.filter(({ say, told, by }) => say !== undefined && !told && by !== undefined);
  if (untold.length === 0) return;
  const lines = untold.map(({ by, say }) => `- @${by?.login}: ${say}`);
  const about = createHash('sha256')
    .update(JSON.stringify(untold.map(boxId)))
    .digest('hex')
    .slice(0, 16);
  const marker = `<!-- lockkeeper ticks: ${about} -->`;
  await world.codeHost.surfaces?.upsertComment(repository, number, marker, `${marker}\n${lines.join('\n')}\n`);
}
