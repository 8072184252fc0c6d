import { UnreadableError } from '../../drift/readers/unreadable.ts';
import { eventOf, type PulumiStep, type Said, type Summary } from './event.ts';
import { readValues } from './values.ts';

/** What an update or a destroy has written so far. */
export interface UpdateOutput {
  /** Steps that ended well, in their order: not those that only look, nor any of a refresh or a preview before the update. */
  readonly done: readonly PulumiStep[];
  /** URNs of what failed, and of what had begun and not ended. */
  readonly failed: ReadonlySet<string>;
  /** Whether anything was begun that is more than a look. */
  readonly wrote: boolean;
  readonly said: readonly Said[];
  readonly summary: Summary | undefined;
  /** What could not be read; the update went on all the same, and what it did has to be looked for. */
  readonly unread: boolean;
}

/** Takes what `pulumi up --json` or `pulumi destroy --json` writes, line by line, so that no length of it ends an update half way. */
export interface ReadUpdate {
  take(line: string): void;
  sofar(): UpdateOutput;
}

const looks: ReadonlySet<string> = new Set(['same', 'read', 'read-replacement', 'refresh']);

/** Of errors and warnings; what is beyond stands in the words alone. */
const mostSaid = 1000;

/** @param say takes the words of it as they come. */
export function readUpdate(say: (said: Said) => void): ReadUpdate {
  const done: PulumiStep[] = [];
  const refreshed: PulumiStep[] = [];
  const open = new Map<string, PulumiStep>();
  const failed = new Set<string>();
  const said: Said[] = [];
  let [summary, wrote, unread]: [Summary | undefined, boolean, boolean] = [undefined, false, false];
  const values = readValues((value) => {
    const event = eventOf(value);
    if (event === undefined) return;
    if (event.kind === 'said') hear(event.said);
    else if (event.kind === 'document') event.said.forEach(hear);
    else if (event.planning) return;
    else if (event.kind === 'begun') {
      open.set(keyOf(event.step), event.step);
      wrote ||= !looks.has(event.step.op);
    } else if (event.kind === 'ended') {
      if (open.has(`refresh ${event.step.urn}`) && !open.has(keyOf(event.step))) {
        open.delete(`refresh ${event.step.urn}`);
        refreshed.push(event.step);
      } else {
        open.delete(keyOf(event.step));
        if (!looks.has(event.step.op)) done.push(event.step);
      }
    } else if (event.kind === 'failed') failed.add(event.urn);
    else if (event.kind === 'summary') summary = event.summary;
  });

  function hear(one: Said): void {
    say(one);
    if (one.severity !== 'info' && said.length < mostSaid) said.push(one);
  }

  function take(line: string): void {
    if (unread) return;
    try {
      values.take(line);
    } catch (thrown) {
      if (!(thrown instanceof UnreadableError)) throw thrown;
      unread = true;
    }
  }

  function sofar(): UpdateOutput {
    const hidden = unread || (summary !== undefined && countsMore(summary, [...done, ...refreshed]));
    const begun = [...open.values()].filter(({ op }) => !looks.has(op)).map(({ urn }) => urn);
    return { done, failed: new Set([...failed, ...begun]), wrote: wrote || hidden, said, summary, unread: hidden };
  }

  return { take, sofar };
}

/** A summary that counts more than was told: something was done that nobody can name. What a refresh found may be counted or not. */
function countsMore({ counts }: Summary, ended: readonly PulumiStep[]): boolean {
  const told = (op: string): number => ended.filter((step) => step.op === op).length;
  const toldOf = (op: string): number => (op === 'replace' ? Math.max(told(op), told('create-replacement'), told('import-replacement')) : told(op));
  return [...counts].some(([op, count]) => !looks.has(op) && count > toldOf(op));
}

const keyOf = ({ op, urn }: PulumiStep): string => `${op} ${urn}`;
