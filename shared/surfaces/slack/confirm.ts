import { isDestructive, type PlannedDeed } from '../deeds.ts';
import { plain } from '../escape.ts';
import { count } from '../words.ts';
import { type Button, limits } from './block-kit.ts';

/** A name in a dialog; those that are longer are cut, and say so. */
const longestName = 120;

/** What is asked again before an approval that deletes something: whole names, as many as fit, and how many there are beside them. */
export function confirmOf(planned: readonly PlannedDeed[]): Button['confirm'] {
  const lost = planned.filter(({ deed }) => isDestructive(deed));
  if (lost.length === 0) return undefined;
  const anew = lost.filter(({ deed }) => deed === 'replace').length;
  const verb = anew === 0 ? 'Deletes' : anew === lost.length ? 'Deletes, and makes anew, empty:' : `Deletes (and makes ${anew} of them anew, empty)`;
  const end = ' This cannot be taken back.';
  const named: string[] = [];
  let text = '';
  for (const { label } of lost) {
    named.push(plain(label, longestName));
    const left = lost.length - named.length;
    const next = `${verb} ${named.join(', ')}${left > 0 ? ` and ${left} more (the check run names them)` : ''}.${end}`;
    if (text !== '' && next.length >= limits.confirmText) break;
    text = next;
  }
  return { title: `Delete ${count(lost.length, 'resource')}?`, text, yes: 'Approve', no: 'Back' };
}
