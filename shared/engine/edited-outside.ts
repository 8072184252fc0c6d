import type { Problem } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import { type WaysOn, waysFromDrift } from './ways-on.ts';

/** What is known of one resource that was edited outside. */
export interface Edit {
  readonly key: string;
  /** Its label. */
  readonly resource: string;
  readonly paths: readonly string[];
  /** When it was last known to be as it was recorded, ISO 8601. */
  readonly cleanAt?: string;
  /** The run that wrote it last. */
  readonly run: string;
  readonly replaced?: boolean;
  /** The plan wants something else of it than that run wrote: what differs is edit and change in one. */
  readonly wantsOther?: true;
  /** What is live of it, or some of it, can be made the plan by a command. */
  readonly absorbs: boolean;
}

/** A line of which one or several resources were edited outside: each is named, and so are the ways on. */
export function editedOutside(line: string, ways: WaysOn, edits: readonly Edit[]): Problem {
  const [first, ...others] = edits as [Edit, ...Edit[]];
  const message =
    others.length === 0
      ? `${editText(first)}; line ${line} would overwrite it.${first.wantsOther ? ` ${bothText}` : ''}`
      : `${edits.length} resources were edited outside, and line ${line} would overwrite them: ${severalText(edits)}.${edits.some(({ wantsOther }) => wantsOther) ? ` ${bothText}` : ''}`;
  const { reconcile, absorb, accept } = ways;
  const absorbs = edits.some((edit) => edit.absorbs);
  const details = { line, ...first, ways: { reconcile, accept, ...(absorbs ? { absorb } : {}) }, ...(others.length === 0 ? {} : { edits }) };
  return { code: 'DRIFT_CHANGED', message, hint: waysFromDrift(ways, absorbs), details };
}

/** As one problem what is the matter with several resources of a line. */
export function allEdited(line: string, ways: WaysOn, problems: readonly Problem[]): Problem {
  return editedOutside(
    line,
    ways,
    problems.map(({ details }) => details as unknown as Edit),
  );
}

const editText = ({ resource, replaced, paths, run, cleanAt, wantsOther }: Edit, what = ` was ${replaced ? 'replaced' : 'edited'} outside`): string => {
  const where = paths.length === 0 ? '' : ` (${listed(paths)})`;
  const when = cleanAt === undefined ? '' : `, last clean at ${cleanAt}`;
  return `${resource}${what}${where} since run ${run} wrote it${when}${wantsOther ? ', and the plan has changed there, too' : ''}`;
};

/** More than a person reads in one sentence. */
const mostNamed = 10;

const severalText = (edits: readonly Edit[]): string => {
  const named = edits.slice(0, mostNamed).map((edit) => editText(edit, edit.replaced ? ', replaced,' : ''));
  return [...named, ...(edits.length > mostNamed ? [`and ${edits.length - mostNamed} more`] : [])].join('; ');
};

const bothText = 'What was written last is not recorded in clear: the difference that is shown is to what the plan says now.';
