/** A file's text as one YAML 1.2 document, or every syntax error in it. The `yaml` library's own wording does not leave this file: it may quote a value. */
import { Composer, type Document, LineCounter, type ParsedNode, Parser, visit, type YAMLError } from 'yaml';
import type { Position, Problem } from '../errors/error.ts';
import { MAX_DEPTH, tooDeepAt } from './depth.ts';
import type { FileKind } from './file-kind.ts';

export interface YamlDocument {
  readonly text: string;
  readonly root: ParsedNode | null;
  readonly kind: FileKind;
  /** Position of an offset into the text; columns count UTF-16 units. */
  position(offset: number): Position;
}

/** How many syntax errors are listed: after the first few, the rest are echoes. */
const MOST_ERRORS = 50;

export function yamlDocument(text: string, file: string, kind: FileKind): { readonly document?: YamlDocument; readonly problems: readonly Problem[] } {
  const lines = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refused = (message: string, offset: number) => ({ problems: [{ code: kind.codes.syntax, message, at: position(offset) }] });

  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const directive = tokens.find((token) => token.type === 'directive' && !/^%YAML\s+1\.2\s*$/.test(token.source));
  if (directive !== undefined) return refused('no directive but `%YAML 1.2` is taken: remove the line', directive.offset);
  const tooDeep = tooDeepAt(tokens);
  if (tooDeep !== undefined) return refused(`maps and lists may nest ${MAX_DEPTH} levels deep: flatten this`, tooDeep);

  const composer = new Composer({ version: '1.2', merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const [document, second] = firstTwo(composer.compose(tokens, true, text.length));
  if (document === undefined) return { document: { text, root: null, kind, position }, problems: [] };
  // The library warns of tags alone. What it would read such a value as is its guess.
  const errors: readonly YAMLError[] = [...document.errors, ...document.warnings].slice(0, MOST_ERRORS);
  if (errors.length > 0) return { problems: errors.flatMap((error) => refused(...explained(error, document)).problems) };
  if (second !== undefined) return refused('a second YAML document starts here: keep one', second.range[0]);
  return { document: { text, root: document.contents, kind, position }, problems: [] };
}

function firstTwo<T>(items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === 2) break;
  }
  return taken;
}

/** What the error means and what to write instead, and the offset that helps most. */
function explained(error: YAMLError, document: Document): [message: string, offset: number] {
  const at = error.pos[0];
  const quote = error.code === 'MISSING_CHAR' ? unclosedQuote(document, at) : undefined;
  if (quote !== undefined) return ['the quote that opens here is never closed: close it', quote];
  return [explanations[error.code] ?? 'this does not continue the YAML before it: look for a missing quote, bracket or indentation just above', at];
}

const misplacedAnchor = 'an anchor or alias stands where none may: write one `&name` before the value it names, and `*name` alone';
const explanations: { readonly [code in YAMLError['code']]?: string } = {
  TAB_AS_INDENT: 'a tab stands in the indentation: indent with spaces',
  MISSING_CHAR: 'a closing character, or the `:` after a key, is missing before this place',
  BAD_INDENT: 'the indentation does not fit: keys of one map, and the `-` of one list, start in the same column, and brackets close inside it',
  BLOCK_AS_IMPLICIT_KEY: 'this value holds a `: ` or goes on as a map below it: put it in quotes, or fix the indentation',
  MULTILINE_IMPLICIT_KEY: 'a key runs over two lines: write it on one, or fix the indentation',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters: shorten it',
  BAD_SCALAR_START: 'a plain value may not start with this character: put the value in quotes',
  BAD_DQ_ESCAPE: 'this backslash escape does not exist: double the backslash, or use single quotes',
  ALIAS_PROPS: misplacedAnchor,
  BAD_ALIAS: misplacedAnchor,
  MULTIPLE_ANCHORS: misplacedAnchor,
  BAD_PROP_ORDER: misplacedAnchor,
  MULTIPLE_TAGS: 'a value has two tags: remove them',
  TAG_RESOLVE_FAILED: 'this tag is not known here, or does not fit its value: remove it',
  BLOCK_IN_FLOW: 'a block value stands inside `[ ]` or `{ }`: write it in brackets or quotes too',
};

/** The start of the quoted text that runs on to the error: where the quote was forgotten, not where the file ends. */
function unclosedQuote(document: Document, end: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_, { type, range }) => {
      if ((type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') && range && range[0] < end && range[2] >= end) start = range[0];
    },
  });
  return start;
}
