import { isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { blockLines, flowText, type NewLine } from './line-text.ts';

/**
 * The plan file with further lines at the end of `changes`. Every byte that was there stays, in its order: text is put between two of them,
 * indented and ended as the file does it.
 *
 * @param bytes a plan file that was read without a mistake.
 * @returns the file, and what was put between. @throws LockkeeperError USAGE for a list that is written in a way nothing can be added to: an alias, or no list at all.
 */
export function withLines(bytes: Buffer, lines: readonly NewLine[], remark: string): { readonly bytes: Buffer; readonly added: string } {
  const text = bytes.toString('utf8');
  const document = parseDocument(text, { keepSourceTokens: true, logLevel: 'silent', merge: true, uniqueKeys: false });
  const changes = isMap(document.contents) ? document.contents.get('changes', true) : undefined;
  if (!isSeq(changes) || !changes.srcToken || !changes.range) throw cannotAdd(lines);
  const { at, added } = changes.srcToken.type === 'flow-collection' ? inBrackets(text, changes, lines) : inBlock(text, changes, lines, remark);
  const offset = Buffer.byteLength(text.slice(0, at));
  return { bytes: Buffer.concat([bytes.subarray(0, offset), Buffer.from(added), bytes.subarray(offset)]), added };
}

interface Insertion {
  /** UTF-16 offset into the text. */
  readonly at: number;
  readonly added: string;
}

function inBrackets(text: string, changes: YAMLSeq, lines: readonly NewLine[]): Insertion {
  const token = changes.srcToken as Extract<typeof changes.srcToken, { type: 'flow-collection' }>;
  const close = token.end.find(({ type }) => type === 'flow-seq-end');
  const last = changes.items.at(-1) as { readonly range?: readonly [number, number, number] } | undefined;
  if (!close) throw cannotAdd(lines);
  const written = lines.map(flowText).join(', ');
  if (!last?.range) return { at: token.start.offset + 1, added: written };
  // After the last item, before whatever follows it: a comma that ends the list, a comment, a line break.
  const comma = /^\s*,/.test(text.slice(last.range[1], close.offset)) ? text.indexOf(',', last.range[1]) + 1 : undefined;
  return comma === undefined ? { at: last.range[1], added: `, ${written}` } : { at: comma, added: ` ${written},` };
}

function inBlock(text: string, changes: YAMLSeq, lines: readonly NewLine[], remark: string): Insertion {
  const token = changes.srcToken as Extract<typeof changes.srcToken, { type: 'block-seq' }>;
  const dash = token.items.at(-1)?.start.find(({ type }) => type === 'seq-item-ind');
  const last = changes.items.at(-1) as { readonly range?: readonly [number, number, number] } | undefined;
  if (!dash || !last?.range) throw cannotAdd(lines);
  const indent = text.slice(lineStart(text, dash.offset), dash.offset).replace(/^\uFEFF/, '');
  if (indent.trim() !== '') throw cannotAdd(lines);
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const block = [`# ${remark}`, ...lines.flatMap(blockLines)].map((line) => indent + line).join(newline);
  const end = endOfItem(text, last.range[1]);
  const startsLine = end === lineStart(text, end);
  return { at: end, added: startsLine ? `${block}${newline}` : `${newline}${block}` };
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Where the line ends on which an item ends, its comment included: a value never shares it with what follows. */
function endOfItem(text: string, at: number): number {
  if (text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const cannotAdd = (lines: readonly NewLine[]): LockkeeperError =>
  new LockkeeperError({
    code: 'USAGE',
    message: '`changes` is written in a way that no line can be added to.',
    hint: `Write it as a list, or add by hand: ${lines.map(flowText).join(' ')}`,
  });
