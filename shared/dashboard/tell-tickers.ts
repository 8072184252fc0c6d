import { createHash } from 'node:crypto';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Tick } from './tick.ts';

/** What a person's ticks of so long came to is told in one comment, ms: whoever ticks a lot floods nobody. */
const together = 10 * 60_000;
/** How many ticks one comment tells, the newest. */
const mostTold = 10;

/**
 * Tells people what became of their ticks: one comment for a person and ten minutes, which names them once, so that the host tells them. Further ticks
 * of that time are added to it. A comment whose answer was lost is found by its marker and written again, word for word. An app or a bot is told
 * nothing: it reads no comments, and may tick without end.
 */
export async function tellTickers(
  world: ControlWorld,
  { repository, number }: { readonly repository: Repository; readonly number: number },
  ticks: readonly Tick[],
): Promise<void> {
  const told = ticks.filter(({ say, by }) => say !== undefined && by?.type === 'User');
  for (const [key, theirs] of Map.groupBy(told, commentOf)) {
    if (theirs.every((tick) => tick.told)) continue;
    const marker = `<!-- lockkeeper ticks: ${key} -->`;
    await world.codeHost.surfaces?.upsertComment(repository, number, marker, `${marker}\n${linesOf(theirs)}\n`);
  }
}

/** Which comment tells of a tick. */
const commentOf = ({ by, at }: Tick): string =>
  createHash('sha256')
    .update(JSON.stringify([by?.login, Math.floor(Date.parse(at) / together)]))
    .digest('hex')
    .slice(0, 16);

function linesOf(ticks: readonly Tick[]): string {
  const oldest = ticks.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.no - b.no);
  const [first, ...others] = oldest.slice(-mostTold);
  const left = ticks.length > mostTold ? [`and ${ticks.length - mostTold} before`] : [];
  return [`@${first?.by?.login}: ${first?.say}`, ...others.map(({ say }) => `${say}`), ...left].map((line) => `- ${line}`).join('\n');
}
