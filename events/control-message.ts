import { z } from 'zod';

const wake = {
  run: z.string().min(1),
  /** The repository's id: SQS's fair queues keep a busy repository from delaying the others. */
  group: z.string().min(1),
};

/** Wakes the controller for one intake or run. What is due is read from the item, never from the message. */
const wakeMessage = z.strictObject({ format: z.literal(1), ...wake });

/** A state of the machine that waits for a run's question, guard or re-plan, with the token that lets it go on (P7). */
const stateMessage = z.strictObject({
  format: z.literal(2),
  ...wake,
  step: z.enum(['ask', 'guard', 'replan', 'expired']),
  /** Absent for `expired`: nobody waits for an answer. */
  token: z.string().min(1).optional(),
  /** When the state was entered, ISO 8601: of two tokens the later one counts. */
  entered: z.string().min(1).optional(),
  /** The name of the execution that waits. A run that began another one meanwhile has left it behind. */
  execution: z.string().min(1).optional(),
});

/**
 * The schedule asks the controller, which alone holds the host's credentials, to look there for what never arrived. It names no
 * run, and code that knows the older formats alone hands it back.
 */
const lookMessage = z.strictObject({ format: z.literal(3), look: z.literal('lost'), group: z.literal('schedule') });

/**
 * The nightly schedule asks the controller to remove what closed pull requests and deleted branches left. `after`: the last scope that was
 * looked at, where an earlier message's time was up; scopes go by repository id and then by their order in the repository's list.
 */
const cleanUpMessage = z.strictObject({
  format: z.literal(4),
  look: z.literal('left'),
  after: z.strictObject({ repository: z.string().min(1), order: z.string().min(1) }).optional(),
  group: z.literal('schedule'),
});

/**
 * The dashboard issue of a repository has to be looked at, or written anew. `tick`: one tick of it, by the sort key of its item, has to be
 * judged, or looked after.
 */
const dashboardMessage = z.strictObject({ format: z.literal(5), look: z.literal('dashboard'), tick: z.string().min(1).optional(), group: z.string().min(1) });

/** The scans of an environment are due: at which scheduled time, ISO 8601, of which repository (`group`). */
const scanMessage = z.strictObject({
  format: z.literal(6),
  look: z.literal('scan'),
  environment: z.string().min(1),
  slot: z.iso.datetime(),
  group: z.string().min(1),
});

/**
 * A tool job has ended, in the words of its runner: a rule of EventBridge makes it of CodeBuild's event. Among the variables that the job was
 * started with is its token, which names run and line.
 */
const toolEndedMessage = z.strictObject({
  format: z.literal(7),
  look: z.literal('tool-job'),
  variables: z.array(z.looseObject({ name: z.string(), value: z.string() })),
  group: z.literal('tool-job'),
});

export const controlMessage = z.union([wakeMessage, stateMessage, lookMessage, cleanUpMessage, dashboardMessage, scanMessage, toolEndedMessage]);
export type ControlMessage = z.infer<typeof controlMessage>;
export type DashboardMessage = z.infer<typeof dashboardMessage>;
export type CleanUpMessage = z.infer<typeof cleanUpMessage>;
export type ScanMessage = z.infer<typeof scanMessage>;
export type ToolEndedMessage = z.infer<typeof toolEndedMessage>;
