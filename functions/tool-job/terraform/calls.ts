import { join } from 'node:path';
import { showArgs, statePullArgs, variablesOf } from '../../../shared/stacks/terraform/commands.ts';
import { markOf } from '../../../shared/stacks/terraform/state-mark.ts';
import type { StateMark, ToolFailureCause } from '../../../shared/stacks/tool-work.ts';
import type { Workplace } from '../driver.ts';
import type { ToolEnd } from '../run-tool.ts';
import { callFailed, type Streamed, streamed } from './call.ts';
import { readState, type StateDocument } from './documents.ts';

/** How the parts of a job call the tool: in the root's workspace, with what it keeps beside the source. */
export interface Calls {
  /** The tool's own folder, beside the source. */
  readonly data: string;
  readonly call: (args: readonly string[], more?: { readonly readsBack?: true }) => Promise<ToolEnd>;
  /** A call whose output is a stream of events. */
  readonly stream: (args: readonly string[]) => Promise<Streamed>;
  /**
   * Lineage and serial of the state; undefined where there is none yet.
   *
   * @throws ToolFailed when it cannot be read, with `otherwise` as the cause.
   */
  pulled(otherwise: ToolFailureCause): Promise<StateMark | undefined>;
  /** The same after the end, where it can be read. */
  pulledBack(): Promise<StateMark | undefined>;
  /** What the state holds; undefined where it cannot be read: what happened before is told all the same. @param fellBackFrom the read that failed. */
  recorded(fellBackFrom?: string): Promise<StateDocument | undefined>;
}

export function terraformCalls(place: Workplace): Calls {
  const { work, folder, run, words } = place;
  const { tool: program } = work;
  const data = join(folder, 'data');
  const environment = { ...variablesOf(work.root), TF_DATA_DIR: data };
  const call: Calls['call'] = (args, more = {}) => run({ program, args, environment, ...more });
  const markIn = (end: ToolEnd): StateMark | undefined => (isDone(end) ? markOf(end.stdout.toString('utf8')) : undefined);
  return {
    data,
    call,
    stream: (args) => streamed((lines) => run({ program, args, environment, lines }), words),
    async pulled(otherwise) {
      const end = await call(statePullArgs);
      if (!isDone(end)) throw callFailed(end, otherwise, `${program} state pull`);
      return markIn(end);
    },
    pulledBack: async () => markIn(await call(statePullArgs, { readsBack: true })),
    async recorded(fellBackFrom) {
      const end = await call(showArgs(), { readsBack: true });
      try {
        return isDone(end) ? readState(end.stdout, place, fellBackFrom) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Whether a call did what it was for. */
export const isDone = (end: ToolEnd): end is Extract<ToolEnd, { readonly end: 'exited' }> => end.end === 'exited' && end.exit === 0;
