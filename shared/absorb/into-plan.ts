import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type Scalar as YamlScalar } from 'yaml';
import type { Scalar } from '../plan/types.ts';
import { type Absorbed, cannot } from './wanted.ts';

/** One value of a line as it stands in the file. */
interface Leaf {
  readonly path: string;
  readonly node: YamlScalar;
  /** It, or a map around it, has a name under which other places of the file use it. */
  readonly shared: boolean;
}

/** Keys of a line that no op's attribute stands behind. */
const ofTheLine: ReadonlySet<string> = new Set(['id', 'adapter', 'op', 'environments', 'depends_on', 'provider']);

/**
 * The plan file with what is live in the place of what it said, in that one line, each value where it stands: comments, order and all other bytes stay.
 * An attribute is found by its path among the line's values, else as the only value of the line that is what the plan wanted.
 *
 * @throws LockkeeperError CANNOT_ABSORB for a value that stands nowhere, twice, or where other lines have it from.
 */
export function intoPlan(bytes: Buffer, line: string, absorbed: readonly Absorbed[]): Buffer {
  const text = bytes.toString('utf8');
  const leaves = leavesOf(text, line);
  const edits = absorbed.map((one) => ({ one, leaf: leafOf(line, leaves, one) }));
  let written = text;
  for (const { one, leaf } of edits.toSorted((a, b) => startOf(b.leaf) - startOf(a.leaf))) {
    const [start, end] = leaf.node.range as [number, number, number];
    written = `${written.slice(0, start)}${scalarText(one.to, leaf.node, line, one)}${written.slice(end)}`;
  }
  return Buffer.from(written, 'utf8');
}

const startOf = ({ node }: Leaf): number => (node.range as [number, number, number])[0];

function leavesOf(text: string, line: string): Leaf[] {
  const document = parseDocument(text, { logLevel: 'silent', merge: true, uniqueKeys: false });
  const changes = isMap(document.contents) ? document.contents.get('changes', true) : undefined;
  const item = isSeq(changes) ? changes.items.find((one): one is YAMLMap => isMap(one) && one.get('id') === line) : undefined;
  if (!item) throw cannot(line, 'the plan file does not have it as a map of its own', 'Change the file by hand.');
  return item.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : '';
    return ofTheLine.has(name) ? [] : below(value as Node | null, name, item.anchor !== undefined);
  });
}

function below(node: Node | null, path: string, within: boolean): Leaf[] {
  if (node === null || isAlias(node)) return [];
  const shared = within || ('anchor' in node && node.anchor !== undefined);
  if (isScalar(node)) return [{ path, node, shared }];
  if (isMap(node)) return node.items.flatMap(({ key, value }) => below(value as Node | null, `${path}.${isScalar(key) ? String(key.value) : ''}`, shared));
  return isSeq(node) ? node.items.flatMap((each, at) => below(each as Node, `${path}.${at}`, shared)) : [];
}

function leafOf(line: string, leaves: readonly Leaf[], { path, label, from, to }: Absorbed): Leaf {
  const same = leaves.filter(({ node }) => node.value === from);
  const [found, ...others] = same.some((leaf) => leaf.path === path) ? same.filter((leaf) => leaf.path === path) : same;
  const byHand = `Write ${JSON.stringify(to)} there by hand.`;
  if (!found) throw cannot(line, `${path} of ${label} is made of something else than a value in the file`, byHand);
  if (others.length > 0) throw cannot(line, `${path} of ${label} may be any of ${same.map((leaf) => leaf.path).join(', ')}`, byHand);
  if (found.shared) throw cannot(line, `${found.path} is written once for several places of the file`, byHand);
  return found;
}

/** A value as it is to be read back, in the quotes that stood there where they can hold it. */
function scalarText(value: Scalar, { type }: YamlScalar, line: string, { path, label }: Absorbed): string {
  if (typeof value !== 'string') return String(value);
  if (value.includes('${')) throw cannot(line, `what ${path} of ${label} holds now would be read as a placeholder`, 'Change the file by hand.');
  if (type === 'PLAIN' && isPlain(value)) return value;
  if (type === 'QUOTE_SINGLE' && !/['\n\r]/.test(value)) return `'${value}'`;
  return `${JSON.stringify(value)}${type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? '\n' : ''}`;
}

/** A text that YAML reads back as itself wherever it stands. */
const isPlain = (text: string): boolean => /^[A-Za-z_][\w./-]*$/.test(text) && parseDocument(text).toJS() === text && !/^(yes|no|on|off|y|n)$/i.test(text);
