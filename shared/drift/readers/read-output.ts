import type { Engine } from '../record.ts';
import { readComponentStatus } from './chant-components.ts';
import { readLiveDiff } from './chant-live-diff.ts';
import { readLiveListing } from './choudoufu-live-ls.ts';
import { readLivePlan } from './choudoufu-live-plan.ts';
import { readLivePlanWithPlan } from './choudoufu-plus-plan.ts';
import type { Json } from './json.ts';
import { readPlungeStream } from './plunge-stream.ts';
import { readPulumiDocument } from './pulumi-document.ts';
import { readPulumiStream } from './pulumi-stream.ts';
import type { DriftReading, ReaderContext } from './reading.ts';
import { type DocumentKind, type Input, type InputKind, recognised } from './recognise.ts';
import { readTerraformPlan } from './terraform-plan.ts';
import { readTerraformState } from './terraform-state.ts';
import { UnreadableError } from './unreadable.ts';

/** A tool's output (`inputBytes`), and what the caller knows of it. */
export interface ToolOutput {
  readonly bytes: Uint8Array;
  /** A second document of the same root, where a reader takes two. */
  readonly beside?: Uint8Array;
  /** The engine, where the document does not say it, or where another one is a mistake. */
  readonly engine?: Engine;
}

/** What the output was, in words, and what it came to. */
export interface ReadOutput {
  readonly kind: InputKind;
  readonly reading: DriftReading;
}

/**
 * Reads the output of whatever tool it is of. Nothing is guessed: what is no whole document or stream of a kind that is known is refused,
 * with where it stops being one. All of it is read, and everything in it that is marked is known, before the first record is made.
 *
 * @throws UnreadableError
 */
export function readToolOutput({ bytes, beside, engine }: ToolOutput, context: ReaderContext): ReadOutput {
  const input = recognised(bytes);
  const second = beside === undefined ? undefined : recognised(beside);
  const reading = second === undefined ? alone(input, engine, context) : together(input, second, context);
  if (engine !== undefined && engine !== reading.engine) throw new UnreadableError(`it is ${input.kind}, and not ${engine}'s`);
  return { kind: input.kind, reading };
}

function alone(input: Input, engine: Engine | undefined, context: ReaderContext): DriftReading {
  if ('stream' in input) return input.kind === 'a Pulumi event stream' ? readPulumiStream(input.stream, context) : readPlungeStream(input.stream, context);
  return ofDocument[input.kind](input.document, context, engine === undefined ? {} : { engine });
}

type DocumentReader = (document: Json, context: ReaderContext, options: { readonly engine?: Engine }) => DriftReading;

const ofDocument: Readonly<Record<DocumentKind, DocumentReader>> = {
  'a Terraform or OpenTofu plan': readTerraformPlan,
  'a Terraform or OpenTofu state': readTerraformState,
  'a Pulumi refresh': (document, context) => readPulumiDocument(document, context),
  'a choudoufu live plan': (document, context) => readLivePlan(document, context),
  'a choudoufu listing': (document, context) => readLiveListing(document, context),
  'a chant live diff': (document, context) => readLiveDiff(document, context),
  'a chant component status': (document, context) => readComponentStatus(document, context),
};

/** The pairs that one reader takes together, in either order. */
function together(one: Input, other: Input, context: ReaderContext): DriftReading {
  const documents = new Map<InputKind, Json>();
  for (const input of [one, other]) if ('document' in input) documents.set(input.kind, input.document);
  const [live, listing, plan] = [documents.get('a choudoufu live plan'), documents.get('a choudoufu listing'), documents.get('a Terraform or OpenTofu plan')];
  if (live !== undefined && listing !== undefined) return readLiveListing(listing, context, live);
  if (live !== undefined && plan !== undefined) return readLivePlanWithPlan(live, plan, context);
  throw new UnreadableError(`nothing reads ${one.kind} and ${other.kind} together`);
}
