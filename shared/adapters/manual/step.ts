import { z } from 'zod';
import type { Op, Reading, ResourceChange, Step } from '../../engine/op.ts';
import { leaves } from '../../engine/resolve.ts';
import { fieldHashes, isValue, type ResolvedParams, sideOf, type Value } from '../../engine/value.ts';
import { isPlainMap } from '../../errors/quoted.ts';
import type { Params } from '../../plan/types.ts';
import { fromForm, scalar, templateText } from '../../plan/value-forms.ts';
import { stateDigest } from '../digest.ts';
import { provider } from '../http-api/api-block.ts';
import { credentialsFor } from '../http-api/auth.ts';
import { noResource } from '../no-resource.ts';
import { invalid, oneValue } from '../param.ts';
import { filled, judgePlaceholders } from './placeholders.ts';
import { connectionOf, isSeen, providerOf, verify } from './verify.ts';

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
    .record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'a variable is named with lower-case letters, digits and `_`, a letter first'), open(scalar))
    .optional()
    .describe('Values for `{name}` in title, instructions, undo and `verify.path`.'),
  verify: verify.optional(),
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
  provider,
  providerFor: providerOf,
  credentialsFor,
  connection: connectionOf,
  params,
  keyParams: ['title', 'vars'],
  defaults,
  identity: async () => ({}),
  diff,
  manual: { step: stepOf, seen: isSeen },
};

function defaults(given: Params): Params {
  const vars = Object.keys((given['vars'] ?? {}) as object);
  for (const name of texts) {
    const text = given[name];
    if (typeof text === 'string') judgePlaceholders(name, text, vars);
  }
  const look = given['verify'];
  if (isPlainMap(look) && typeof look['path'] === 'string') judgePlaceholders('verify.path', look['path'], vars);
  return given;
}

/** One change, whatever is done already: the engine judges that by what it remembers. Each attribute is what the plan file says of it. */
function diff(given: ResolvedParams, _reading: Reading<undefined>): readonly ResourceChange[] {
  const title = rendered(given, 'title') ?? '';
  const instructions = isKnown(given) ? { hash: stateDigest({ title, instructions: rendered(given, 'instructions') ?? '' }) } : {};
  // How it is looked at is nothing that anybody does.
  const told = leaves(given).filter(({ path }) => !path.startsWith('verify'));
  const fields = told.map(({ path, value }) => ({
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
