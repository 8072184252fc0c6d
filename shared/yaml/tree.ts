/**
 * The YAML document as plain data, with a way back from every path to its place in the file.
 * Aliases and merge keys are followed here, within a budget: what a document expands to is bounded, whatever it says.
 */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { Problem } from '../errors/error.ts';
import { quoted } from '../errors/quoted.ts';
import { MAX_DEPTH } from './depth.ts';
import type { YamlDocument } from './document.ts';
import type { FileKind } from './file-kind.ts';
import { type AliasTargets, aliasTargets, isMergeKey, keyName, mergeSources, pairsOf, startOf, type YamlPair } from './map.ts';
import type { PositionOf } from './place.ts';
import { positionsIn } from './positions.ts';

/** How many values there may be once aliases are followed. */
export const MAX_VALUES = 500_000;
/** How many characters there may be once aliases are followed. */
export const MAX_CHARACTERS = 8 * 1024 * 1024;
/** The longest single text, in UTF-16 units: what providers take in one variable. */
export const MAX_TEXT = 65_536;
/** How many problems are listed; a file with more has one cause. */
export const MOST_PROBLEMS = 500;

const TAGS = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`);

export interface YamlTree {
  /** Maps, lists, text, numbers, booleans and null. What cannot stand is null, and a problem says why. */
  readonly value: unknown;
  readonly positionOf: PositionOf;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Ends the reading early: the budget is spent, or enough is wrong. Never leaves this file. */
class Stopped extends Error {}

export function yamlTree(document: YamlDocument): YamlTree {
  const { targets, firstAnchored } = aliasTargets(document.root);
  const problems: Problem[] = [];
  const warnings = firstAnchored === undefined ? [] : [anchorWarning(document, firstAnchored)];
  const positionOf = positionsIn(document, targets);
  try {
    return { value: treeReader(document, targets, problems)(document.root, 1), positionOf, problems, warnings };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { value: undefined, positionOf, problems, warnings };
  }
}

/** A node starts after its anchor. */
function anchorWarning(document: YamlDocument, anchored: Node): Problem {
  const at = document.position(Math.max(document.text.lastIndexOf('&', startOf(anchored)), 0));
  return { code: 'YAML_ANCHOR', message: `the ${document.kind.noun} uses YAML anchors: they work, but readers have to follow them`, at };
}

function treeReader(document: YamlDocument, targets: AliasTargets, problems: Problem[]): (node: Node | null, depth: number) => unknown {
  /** Anchored nodes that are being read through an alias, and the alias that stands in the text itself. */
  const open = new Set<Node>();
  let outermost: Alias | undefined;
  /** Where something was refused: a node that is read through ten aliases is wrong once. */
  const told = new Set<number>();
  let values = 0;
  let characters = 0;

  const refuse = (what: keyof FileKind['codes'], message: string, node: Node): null => {
    const offset = startOf(node);
    if (!told.has(offset)) problems.push({ code: document.kind.codes[what], message, at: document.position(offset) });
    told.add(offset);
    if (problems.length >= MOST_PROBLEMS) throw new Stopped();
    return null;
  };

  const spend = (length: number, node: Node): void => {
    values += 1;
    characters += length;
    if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) return;
    const limits = `${MAX_VALUES} values or ${MAX_CHARACTERS} characters`;
    refuse('size', `the ${document.kind.noun} holds more than ${limits} once its aliases are followed: split it, or use fewer aliases`, outermost ?? node);
    throw new Stopped();
  };

  const read = (node: Node | null, depth: number): unknown => {
    if (node === null) return null;
    spend(isScalar(node) && typeof node.value === 'string' ? node.value.length : 0, node);
    if (isAlias(node)) return readAlias(node, depth);
    if (node.tag !== undefined && !TAGS.includes(node.tag)) return refuse('syntax', `the tag ${quoted(node.tag)} is not known here: remove it`, node);
    if (isScalar(node)) return readScalar(node);
    if (depth > MAX_DEPTH) return refuse('syntax', `maps and lists may nest ${MAX_DEPTH} levels deep, aliases followed: flatten this`, outermost ?? node);
    if (isSeq(node)) return node.items.map((item) => read(item as Node | null, depth + 1));
    if (isMap(node)) return readMap(node, depth);
    return refuse('syntax', 'this is neither a map, a list nor a value', node);
  };

  const readAlias = (alias: Alias, depth: number): unknown => {
    const target = targets.get(alias);
    const name = quoted(`*${alias.source}`);
    if (target === undefined) return refuse('syntax', `the alias ${name} names no anchor above it: define one, or write the value out`, alias);
    if (open.has(target)) return refuse('syntax', `the alias ${name} stands inside its own anchor: write the value out`, alias);
    const outer = outermost;
    outermost ??= alias;
    open.add(target);
    const value = read(target, depth);
    open.delete(target);
    outermost = outer;
    return value;
  };

  const readScalar = (scalar: Scalar): unknown => {
    const { value, source } = scalar;
    if (typeof value === 'string') {
      if (value.length > MAX_TEXT) return refuse('shape', `this text has ${value.length} characters; ${MAX_TEXT} are allowed: shorten it`, scalar);
      if (value.includes('\0') || !value.isWellFormed()) return refuse('shape', 'this text holds NUL or half a surrogate pair: remove that escape', scalar);
      return value;
    }
    if (typeof value === 'symbol') return '<<';
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) return refuse('shape', 'this is not a finite number: put it in quotes if it is text', scalar);
    if (Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(source ?? '')) return value;
    return refuse('shape', 'this number is too long to be kept exactly: put it in quotes', scalar);
  };

  const readMap = (map: YAMLMap, depth: number): Record<string, unknown> => {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (const pair of pairsOf(map)) {
      if (isMergeKey(pair.key)) {
        for (const [name, value] of readMerged(pair, depth + 1)) {
          spend(0, map);
          if (!merged.has(name)) merged.set(name, value);
        }
        continue;
      }
      const name = readKey(pair, own, map);
      const value = read(pair.value, depth + 1);
      if (name !== undefined) own.set(name, value);
    }
    return Object.fromEntries(merged.size === 0 ? own : new Map([...merged, ...own]));
  };

  const readKey = ({ key, value }: YamlPair, taken: ReadonlyMap<string, unknown>, map: YAMLMap): string | undefined => {
    const name = keyName(key, targets);
    const place = key ?? value ?? map;
    if (name === undefined) {
      refuse('shape', 'a key is text: write a name before the `:`', place);
      return undefined;
    }
    spend(name.length, place);
    if (name === '__proto__') refuse('shape', 'no key may be called `__proto__`: choose another name', place);
    else if (taken.has(name)) refuse('syntax', `the key ${quoted(name)} stands twice in this map: remove one`, place);
    else return name;
    return undefined;
  };

  /** `<<: *a`, `<<: { … }` or a list of those; the first that has a key gives it. */
  const readMerged = ({ key, value }: YamlPair, depth: number): readonly [string, unknown][] => {
    const sources = mergeSources(value, targets);
    if (sources !== undefined) return sources.flatMap((source) => Object.entries(read(source, depth) ?? {}));
    const place = value ?? key;
    if (place !== null) refuse('syntax', '`<<` merges maps: give it an alias of a map, or a list of those', place);
    return [];
  };

  return read;
}
