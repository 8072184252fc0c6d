import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { placeOf } from '../../../shared/drift/address.ts';
import { hasDrift, type ReadDocument } from '../../../shared/drift/read-document.ts';
import type { DriftRecord, Engine, Read } from '../../../shared/drift/record.ts';
import { driftLine, driftSettle, driftStart, encodeDriftLine, type ReadOf } from '../../../shared/drift/stream.ts';
import { codes } from '../../../shared/errors/codes.ts';
import type { Problem } from '../../../shared/errors/error.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer, Screen } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { errorText } from '../problem-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Typed, withFlags } from '../typed.ts';
import { unwritable } from './printing.ts';
import { driftText, notesOf } from './text.ts';

type Asked = Pick<Invocation, 'json' | 'text' | 'stream' | 'output' | 'failOnDrift'> & Typed;
type Around = Pick<Surroundings, 'cwd' | 'console' | 'redactor'>;

/** What read a document is of, and why nothing at all could be observed by it; of a read that could not run, nothing is streamed. */
export type Printed =
  | { readonly document: ReadDocument; readonly read: Read; readonly engine?: Engine; readonly unread?: Problem }
  | { readonly document: ReadDocument; readonly problem: Problem };

/**
 * How a drift document is answered: as itself where a program reads along, as a list on a terminal or with --text, as lines with --stream; to a
 * file with -o. Exit 0 when the read ran, whatever it found; 1 when it did not, and with --fail-on-drift when something drifted.
 */
export function driftAnswer(printed: Printed, asked: Asked, { cwd, console, redactor }: Around): Answer {
  // Masked as a value, and serialised after (R1.104): no text is edited that a program reads.
  const document = redactor.maskJson(printed.document);
  const met =
    'problem' in printed ? printed.problem : (printed.unread ?? (asked.failOnDrift && hasDrift(document) ? driftFound(document, printed.engine) : undefined));
  const problem = met && { ...met, hint: withFlags(met.hint ?? codes[met.code].hint, asked) };
  const isList = (screen: Screen): boolean => asked.text === true || (screen.columns !== undefined && asked.output === undefined);
  const complain = () => problem && !asked.json && console.complain((screen) => errorText(problem, screen));
  const failed = 'problem' in printed;
  const { output } = asked;
  const written = (screen: Screen): Iterable<string> => {
    if (asked.stream) return failed ? [] : streamOf(document, printed.read, printed.engine);
    if (isList(screen)) return failed ? [] : [driftText(document, screen, problem ? [] : nextOf(document, printed, asked))];
    return documentText(document);
  };
  const pieces = (screen: Screen): Iterable<string> => (output === undefined ? written(screen) : []);
  if (output !== undefined && !(failed && asked.stream)) writeTo(resolve(cwd, output), output, written(console.screen));
  // On a terminal what is to be done stands last, below the list that it is about.
  const isSeen = !failed && output === undefined && !asked.json && console.screen.columns !== undefined && isList(console.screen);
  const listed = isSeen ? [...pieces(console.screen)] : [];
  for (const piece of listed) console.result(piece);
  complain();
  if (!isList(console.screen)) for (const note of notesOf(document)) console.note(note);
  if (!failed && document.counts['not-observed'] > 0 && !asked.json)
    console.note(`${count(document.counts['not-observed'], 'record')} could not be observed: that is neither in sync nor drift.`);
  return {
    exit: problem ? 1 : 0,
    ...(problem ? { problem } : {}),
    document: { ...document },
    text: (screen) => (isSeen ? '' : [...pieces(screen)].join('')),
    pieces: (screen) => (isSeen ? [] : pieces(screen)),
  };
}

/** The ways on from what drifted of a plan, as they are typed. Of a tool's resources only the tool can put them back. */
function nextOf({ records }: ReadDocument, printed: Printed, asked: Typed): string[] {
  if ('engine' in printed && printed.engine !== undefined && printed.engine !== 'lockkeeper') return [];
  const lines = new Set(
    records.flatMap(({ status, address, engine }) =>
      engine === 'lockkeeper' && (status === 'drifted' || status === 'missing') ? (lineOf(address) ?? []) : [],
    ),
  );
  if (lines.size === 0) return [];
  const [only = '<line>', ...more] = lines;
  const line = more.length === 0 && /^[\w.-]+$/.test(only) ? only : '<line>';
  const ways = {
    'Put the plan back': `lockkeeper reconcile ${line}`,
    'Make it the plan': `lockkeeper absorb ${line}`,
    'Leave it for now': `lockkeeper accept ${line} --until 7d --reason "why"`,
  };
  return Object.entries(ways).map(([words, command]) => withFlags(`${words}: \`${command}\``, asked));
}

/** The line of an address: `web` of `web["key"]`. */
function lineOf(address: string): string | undefined {
  const place = placeOf(address);
  return place?.instanceOf ?? place?.node;
}

/** One read after the other: that of the member, and those of its plan's stacks. */
function* streamOf({ records, member = '' }: ReadDocument, read: Read, engine: Engine = 'lockkeeper'): Generator<string> {
  const reads = Map.groupBy(records, (record) => JSON.stringify([record.member, record.engine, record.read]));
  if (reads.size === 0) yield* readStream({ member, engine, read }, []);
  for (const [first, ...others] of reads.values()) if (first) yield* readStream(first, [first, ...others]);
}

function* readStream({ member, engine, read }: ReadOf, records: readonly DriftRecord[]): Generator<string> {
  const of = { member, engine, read } as const;
  const expected = records.map(({ address, node, instanceOf, resourceType }) => ({
    address,
    node,
    ...(instanceOf === undefined ? {} : { instanceOf }),
    ...(resourceType === undefined ? {} : { resourceType }),
  }));
  const fellBackFrom = records.find((record) => record.fellBackFrom !== undefined)?.fellBackFrom;
  yield encodeDriftLine(driftStart(of, expected, fellBackFrom === undefined ? {} : { fellBackFrom }));
  for (const record of records) yield encodeDriftLine(driftLine(record));
  yield encodeDriftLine(driftSettle(of, records));
}

/** As `JSON.stringify(document, undefined, 2)` writes it, one record after the other: all of them as one text would lie in memory once more. */
export function* documentText(document: ReadDocument): Generator<string> {
  const fields = Object.entries(document).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of fields.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `;
    if (name === 'records' && document.records.length > 0) yield* listText(document.records);
    else yield indented(value, '  ');
  }
  yield '\n}\n';
}

function* listText(items: readonly unknown[]): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index === 0 ? '[' : ','}\n    ${indented(item, '    ')}`;
  yield '\n  ]';
}

/** A line break in the text of a JSON value is none of its own: those are escaped. */
const indented = (value: unknown, indent: string): string => JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`);

function driftFound({ counts }: ReadDocument, engine: Engine = 'lockkeeper'): Problem {
  const found = [`${counts.drifted} drifted`, `${counts.missing} missing`, `${counts.unclaimed} unclaimed`].filter((one) => !one.startsWith('0 '));
  const hint = engine === 'lockkeeper' ? {} : { hint: 'Look at the records that are not in sync: the tool that made the input puts them back.' };
  return { code: 'DRIFT_FOUND', message: `The read found drift: ${found.join(', ')}.`, ...hint };
}

function writeTo(path: string, name: string, pieces: Iterable<string>): void {
  try {
    const file = openSync(path, 'w');
    try {
      for (const piece of pieces) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unwritable(name, error);
  }
}
