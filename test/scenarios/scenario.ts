/** The shape of a scenario file, and how one is read: strictly, so that a misspelt expectation is no expectation that holds. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingsSchema } from '../sim/control/settings.ts';
import { ruleSchema } from '../sim/wire/rule.ts';
import { editNames } from './edit-names.ts';
import { expectation } from './expectation.ts';
import { moves } from './moves.ts';

/** Lines alone (providers and version are the demo's), a whole file as a map, or the text of one. `none`: there is no such file. */
export const fileSchema = z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown()), z.string()]);

const fate = z.strictObject({
  /** A call of a port, such as `table.write` or `provider.fetch`; any call where absent. */
  of: z.string().optional(),
  /** Calls of that kind that pass before. */
  after: z.int().min(0).default(0),
  /** Only what is done for this line. */
  line: z.string().optional(),
  /** The function dies right before or after the call's effect, its answer is lost, or it is not sent and not answered. */
  is: z.enum(['before', 'after', 'lost', 'unsent']),
});
export type PlannedFate = z.output<typeof fate>;

export const editList = z.array(z.partialRecord(z.enum(editNames), z.record(z.string(), z.unknown())));

/** What may stand beside any move. */
const beside = {
  /** The pull request it is about, by its branch; the one of the step before where absent. `main`: the default branch. */
  on: z.string().optional(),
  /** Whose doing it is. */
  as: z.string().optional(),
  plan: fileSchema.optional(),
  /** Further files of the commit: path → text, null takes a file away. */
  files: z.record(z.string(), z.string().nullable()).optional(),
  /** What the fake cloud does to requests while this step runs. */
  chaos: z.array(ruleSchema).optional(),
  fate: fate.optional(),
  /** The next calls of a store fail; `key` is a part of the key, object or queue it is about. */
  down: z.strictObject({ store: z.enum(['table', 'objects', 'queues']), key: z.string().default(''), times: z.int().min(1).default(1) }).optional(),
  /** Every message is delivered twice. */
  twice: z.literal(true).optional(),
  /** The newest message is delivered first. */
  backwards: z.literal(true).optional(),
  /** Nobody hears of it: no webhook is sent, or no message is delivered. */
  unheard: z.literal(true).optional(),
  /** It is told, and its messages lie in the queues until a later step. */
  undelivered: z.literal(true).optional(),
  /** Checks that do not hold for this step, each with why. */
  except: z.partialRecord(z.enum(['replay', 'books', 'untouched', 'again', 'writes']), z.string().min(10)).optional(),
  expect: expectation.optional(),
};

const moveShape = Object.fromEntries(Object.entries(moves).map(([name, { input }]) => [name, input.optional()]));

const soloStep = z.strictObject({ ...moveShape, ...beside });
const meanwhile = z.strictObject({
  /** `METHOD /glob` of a provider's request, before which the steps happen. */
  at: z.string(),
  /** Such requests that pass before. */
  after: z.int().min(0).default(0),
  do: z.array(soloStep).min(1),
});
const stepSchema = z.strictObject({ ...moveShape, ...beside, meanwhile: meanwhile.optional() }).superRefine((step, context) => {
  const made = movesIn(step);
  if (made.length === 1) return;
  const message = `a step makes exactly one move, not ${made.length}: ${made.join(', ') || Object.keys(moves).join(', ')}`;
  context.addIssue({ code: 'custom', message });
});
export type Meanwhile = z.output<typeof meanwhile>;
/** What may stand beside a move. The move itself stands under its name: {@link moveOf}. */
export type Step = z.output<typeof soloStep> & { readonly meanwhile?: Meanwhile | undefined };

const movesIn = (step: object): string[] => Object.keys(moves).filter((name) => (step as Record<string, unknown>)[name] !== undefined);

/** The move a step makes, and what it is told. */
export function moveOf(step: Step): { readonly name: string; readonly input: unknown } {
  const [name = ''] = movesIn(step);
  return { name, input: (step as Record<string, unknown>)[name] };
}

export const scenarioSchema = z.strictObject({
  /** A sentence about behaviour. */
  name: z.string().min(10),
  /** The rules it shows, such as `R1.59`, and invariants or protocol rules, such as `I2` or `P4`. */
  rules: z.array(z.string().regex(/^(R\d+\.\d+|I\d+|P\d)$/)).min(1),
  /** Where Lockkeeper runs: in a deployed stack, or on a person's machine, where nobody hears webhooks and the plan file is a working tree's. */
  host: z.enum(['stack', 'machine']).default('stack'),
  plan: fileSchema.default([]),
  /** `lockkeeper.yaml` on the default branch. Absent: one that knows kim, robin and alex. `none`: there is none. */
  policy: fileSchema.optional(),
  settings: settingsSchema.optional(),
  /** What people did at the providers before. */
  world: editList.optional(),
  /** Values by name, for every environment, or by `<environment>/<name>`; null: there is none. */
  secrets: z.record(z.string(), z.string().nullable()).optional(),
  steps: z.array(stepSchema).min(1),
});
export type Scenario = z.output<typeof scenarioSchema>;

/** @throws Error that names the file, and everything that is wrong with it. */
export function readScenario(file: string): Scenario {
  const judged = scenarioSchema.safeParse(parse(readFileSync(file, 'utf8'), { merge: true }));
  if (judged.success) return judged.data;
  throw new Error(`${file}:\n${z.prettifyError(judged.error)}`);
}
