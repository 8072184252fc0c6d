import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasDrift, type ReadDocument } from '../../../shared/drift/read-document.ts';
import type { Engine, Read } from '../../../shared/drift/record.ts';
import { driftLine, driftSettle, driftStart, encodeDriftLine } from '../../../shared/drift/stream.ts';
import { LockkeeperError, type Problem } from '../../../shared/errors/error.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer, Screen } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { errorText } from '../problem-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { driftText } from './text.ts';

type Asked = Pick<Invocation, 'json' | 'text' | 'stream' | 'output' | 'failOnDrift'>;
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
  const problem =
    'problem' in printed ? printed.problem : (printed.unread ?? (asked.failOnDrift && hasDrift(document) ? driftFound(document, printed.engine) : undefined));
  const isList = (screen: Screen): boolean => asked.text === true || (screen.columns !== undefined && asked.output === undefined);
  if (problem && !asked.json) console.complain((screen) => errorText(problem, screen));
  const failed = 'problem' in printed;
  const written = (screen: Screen): string => {
    if (asked.stream) return failed ? '' : streamOf(document, printed.read, printed.engine);
    if (isList(screen)) return failed ? '' : driftText(document, screen);
    return `${JSON.stringify(document, undefined, 2)}\n`;
  };
  const { output } = asked;
  if (output !== undefined && !(failed && asked.stream)) writeTo(resolve(cwd, output), output, written(console.screen));
  if (!failed && document.counts['not-observed'] > 0 && !asked.json)
    console.note(`${count(document.counts['not-observed'], 'record')} could not be observed: that is neither in sync nor drift.`);
  return {
    exit: problem ? 1 : 0,
    ...(problem ? { problem } : {}),
    document: { ...document },
    text: (screen) => (output === undefined ? written(screen) : ''),
  };
}

function streamOf({ records, member = '' }: ReadDocument, read: Read, engine: Engine = 'lockkeeper'): string {
  const of = { member, engine, read } as const;
  const expected = records.map(({ address, node, instanceOf, resourceType }) => ({
    address,
    node,
    ...(instanceOf === undefined ? {} : { instanceOf }),
    ...(resourceType === undefined ? {} : { resourceType }),
  }));
  return [driftStart(of, expected), ...records.map(driftLine), driftSettle(of, records)].map(encodeDriftLine).join('');
}

function driftFound({ counts }: ReadDocument, engine: Engine = 'lockkeeper'): Problem {
  const found = [`${counts.drifted} drifted`, `${counts.missing} missing`, `${counts.unclaimed} unclaimed`].filter((one) => !one.startsWith('0 '));
  const hint = engine === 'lockkeeper' ? {} : { hint: 'Look at the records that are not in sync: the tool that made the input puts them back.' };
  return { code: 'DRIFT_FOUND', message: `The read found drift: ${found.join(', ')}.`, ...hint };
}

function writeTo(path: string, name: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new LockkeeperError({ code: 'USAGE', message: `${name} cannot be written: ${(error as Error).message}`, hint: 'Name another file with -o.' });
  }
}
