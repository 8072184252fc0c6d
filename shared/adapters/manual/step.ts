import { z } from 'zod';
import type { Op, Reading, ResourceChange, Step } from '../../engine/op.ts';
import { leaves } from '../../engine/resolve.ts';
import { fieldHashes, isValue, type ResolvedParams, sideOf, type Value } from '../../engine/value.ts';
import type { Params } from '../../plan/types.ts';
import { fromForm, scalar, templateText } from '../../plan/value-forms.ts';
import { stateDigest } from '../digest.ts';
import { noResource } from '../no-resource.ts';
import { invalid, oneValue } from '../param.ts';
import { filled, judgePlaceholders } from './placeholders.ts';

/** A text without a secret in it: neither `secret` nor `keep` is a form it takes. */
const open = <T extends z.ZodType>(literal: T) => z.union([literal, templateText, fromForm]);
const markdown = z.string().trim().min(1);

const params = z.strictObject({
  title: z
    .union([
      z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\r\n]+$/, 'a title is one line'),
      templateText,
    ])
    .describe('What is to be done, on one line. It is the identity of the step: another title is another step.'),
  instructions: open(markdown).describe('How it is done, in Markdown. When they change, the step is asked for again.'),
  undo: open(markdown).optional().describe('How it is undone, in Markdown. A destroy waits until somebody confirms it; without it the step is forgotten.'),
  vars: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name has letters, digits and underscores, no digit first'), open(scalar))
    .optional()
    .describe('Values for `{name}` in title, instructions and undo.'),
});

const texts = ['title', 'instructions', 'undo'] as const;

/**
 * `manual.step`: something only a person can do. Lockkeeper shows the instructions, waits without running anything, and goes on when the
 * step is confirmed. No outputs: lines that need it name it in `depends_on`.
 */
export const step: Op<undefined> = {
  ...noResource,
  adapter: 'manual',
  name: 'step',
  version: 1,
  provider: z.strictObject({}),
  params,
  keyParams: ['title', 'vars'],
  defaults,
  identity: async () => ({}),
  diff,
  manual: { step: stepOf },
};

function defaults(given: Params): Params {
  const vars = Object.keys((given['vars'] ?? {}) as object);
  for (const name of texts) {
    const text = given[name];
    if (typeof text === 'string') judgePlaceholders(name, text, vars);
  }
  return given;
}

/** One change, whatever is done already: the engine judges that by what it remembers. Each attribute is what the plan file says of it. */
function diff(given: ResolvedParams, _reading: Reading<undefined>): readonly ResourceChange[] {
  const title = rendered(given, 'title') ?? '';
  const instructions = isKnown(given) ? { hash: stateDigest({ title, instructions: rendered(given, 'instructions') ?? '' }) } : {};
  const fields = leaves(given).map(({ path, value }) => ({
    path,
    before: { state: 'absent' } as const,
    after: sideOf(value),
    ...fieldHashes(undefined, value),
  }));
  return [{ key: `step:${title}`, kind: 'create', label: title, ...instructions, fields }];
}

const isKnown = (given: ResolvedParams): boolean => leaves(given).every(({ value }) => value.kind === 'known');

function stepOf(given: ResolvedParams): Step {
  for (const { path, value } of leaves(given)) {
    if (value.kind === 'keep' || value.kind === 'unresolved' || value.sensitive)
      throw invalid(`\`${path}\` of a manual step cannot be secret: people are shown all of it.`);
  }
  const undo = rendered(given, 'undo');
  return { title: rendered(given, 'title') ?? '', instructions: rendered(given, 'instructions') ?? '', ...(undo === undefined ? {} : { undo }) };
}

/** A text with its variables put in. What is not known yet stands there as the engine marks it. */
function rendered(given: ResolvedParams, name: (typeof texts)[number]): string | undefined {
  const text = oneValue(given, name);
  if (text === undefined) return undefined;
  const vars = (given['vars'] ?? {}) as ResolvedParams;
  const shown = filled(textOf(text), (variable) => {
    const value = vars[variable];
    return value !== undefined && isValue(value) ? textOf(value) : `{${variable}}`;
  });
  return name === 'title' ? shown.replace(/\s+/g, ' ').trim() : shown;
}

const textOf = (value: Value): string => (value.kind === 'known' ? String(value.value) : '');
