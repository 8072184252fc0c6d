import { z } from 'zod';
import { unsupported } from '../template/unsupported.ts';

/** Node fires a longer timer at once: no time-out here is longer. 24.8 days, in seconds. */
export const longestTimer = 2_147_483;

/** Under this name a task's own time-out reaches the function that stands for its integration. */
export const timeoutField = 'lockkeeper:timeout';

const state = z.looseObject({
  Type: z.string(),
  QueryLanguage: z.string().optional(),
  Resource: z.string().optional(),
  Parameters: z.record(z.string(), z.unknown()).optional(),
  TimeoutSeconds: z.number().optional(),
  TimeoutSecondsPath: z.string().optional(),
  HeartbeatSeconds: z.number().optional(),
});
type State = z.infer<typeof state>;

const definitionSchema = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), state),
  QueryLanguage: z.string().optional(),
  TimeoutSeconds: z.number().optional(),
});
/** A state machine in the Amazon States Language, as far as it is looked at here. */
export type Definition = z.infer<typeof definitionSchema>;

/** A task of a definition: its state's name, what it calls, and with what. */
export interface Task {
  readonly state: string;
  readonly resource: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Map and Parallel hold states of their own, and a Wait may be longer than a timer: nothing here needs them yet. */
const knownTypes = new Set(['Task', 'Choice', 'Pass', 'Succeed', 'Fail']);

/**
 * Reads a definition and refuses what would be ignored without a word when it runs.
 *
 * @throws LockkeeperError TEMPLATE_UNSUPPORTED with `owner`, the machine's logical id, and the name of the state.
 */
export function readDefinition(owner: string, text: string): Definition {
  const definition = definitionSchema.parse(JSON.parse(text));
  const languages = [definition.QueryLanguage, ...Object.values(definition.States).map((one) => one.QueryLanguage)];
  if (languages.includes('JSONata')) throw unsupported(owner, 'the embedded stack runs JSONPath, not JSONata');
  for (const [name, one] of Object.entries(definition.States)) {
    if (!knownTypes.has(one.Type)) throw unsupported(owner, `its state ${name} is a ${one.Type}, which the embedded stack does not run`);
    if (one.HeartbeatSeconds !== undefined) throw unsupported(owner, `its state ${name} has a heartbeat, which the embedded stack does not watch`);
  }
  return definition;
}

export const tasksOf = ({ States }: Definition): Task[] =>
  Object.entries(States).flatMap(([name, { Type, Resource = '', Parameters = {} }]) =>
    Type === 'Task' ? [{ state: name, resource: Resource, parameters: Parameters }] : [],
  );

/**
 * The definition as the runner takes it. The runner looks for `TimeoutSecondsPath` in a task's parameters where AWS looks in the
 * state's input, and takes a minute where nothing is said; so every task keeps its own time, handed over in its parameters.
 */
export function runnable(definition: Definition): Definition {
  const { TimeoutSeconds } = definition;
  const bounded = TimeoutSeconds === undefined ? {} : { TimeoutSeconds: Math.min(TimeoutSeconds, longestTimer) };
  const states = Object.entries(definition.States).map(([name, one]) => [name, one.Type === 'Task' ? keepingTime(one) : one]);
  return { ...definition, ...bounded, States: Object.fromEntries(states) };
}

function keepingTime({ TimeoutSecondsPath, TimeoutSeconds = longestTimer, Parameters = {}, ...task }: State): State {
  const own = TimeoutSecondsPath === undefined ? { [timeoutField]: TimeoutSeconds } : { [`${timeoutField}.$`]: TimeoutSecondsPath };
  return { ...task, TimeoutSeconds: longestTimer, Parameters: { ...Parameters, ...own } };
}
