/** Keys, merges and aliases of YAML maps, as the files read here use them. */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { MAX_DEPTH } from './depth.ts';

/** What each alias stands for: the last anchor of its name above it. */
export type AliasTargets = ReadonlyMap<Alias, Node>;
export type YamlPair = Pair<Node | null, Node | null>;

export const pairsOf = (map: YAMLMap): readonly YamlPair[] => map.items as YamlPair[];
export const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** Every alias with its target, found in one pass in the order of the text, and the first node that has an anchor. */
export function aliasTargets(root: ParsedNode | null): { readonly targets: AliasTargets; readonly firstAnchored: Node | undefined } {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  let firstAnchored: Node | undefined;
  const walk = (node: Node | null): void => {
    if (node === null) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if ('anchor' in node && typeof node.anchor === 'string') {
      anchors.set(node.anchor, node);
      firstAnchored ??= node;
    }
    if (isSeq(node)) for (const item of node.items) walk(item as Node | null);
    if (isMap(node)) {
      for (const { key, value } of pairsOf(node)) {
        walk(key);
        walk(value);
      }
    }
  };
  walk(root);
  return { targets, firstAnchored };
}

/** A plain `<<`: its value is merged into the map. In quotes it is an ordinary key. */
export const isMergeKey = (key: Node | null): boolean => isScalar(key) && typeof key.value === 'symbol';

/** The key's name: text as it is, numbers and booleans as they would be printed. Undefined for nothing, maps and lists. */
export function keyName(key: Node | null, targets: AliasTargets): string | undefined {
  const node = key !== null && isAlias(key) ? targets.get(key) : key;
  if (!isScalar(node) || node.value === null || typeof node.value === 'symbol') return undefined;
  return String(node.value);
}

/** The maps, or aliases of maps, that a merge key names, in the order of their precedence. Undefined where it names anything else. */
export function mergeSources(value: Node | null, targets: AliasTargets): readonly Node[] | undefined {
  const inside = followed(value, targets);
  const sources = isSeq(inside) ? (inside.items as Node[]) : value === null ? [] : [value];
  return sources.length > 0 && sources.every((source) => isMap(followed(source, targets))) ? sources : undefined;
}

export function followed(node: Node | null, targets: AliasTargets): Node | null {
  return node !== null && isAlias(node) ? (targets.get(node) ?? null) : node;
}

/** Finds the pair that gives a map its value for a name: its own, or the first that is merged in. */
export type PairFinder = (map: YAMLMap, name: string) => YamlPair | undefined;

/** A finder that indexes each map when it is first asked about it: a map may have as many keys as the file has lines. */
export function pairFinder(targets: AliasTargets): PairFinder {
  const indexes = new Map<YAMLMap, ReadonlyMap<string, YamlPair>>();
  const indexOf = (map: YAMLMap): ReadonlyMap<string, YamlPair> => {
    const known = indexes.get(map);
    if (known !== undefined) return known;
    const index = new Map<string, YamlPair>();
    for (const pair of pairsOf(map)) {
      const name = isMergeKey(pair.key) ? undefined : keyName(pair.key, targets);
      if (name !== undefined && !index.has(name)) index.set(name, pair);
    }
    indexes.set(map, index);
    return index;
  };
  const find = (map: YAMLMap, name: string, depth: number): YamlPair | undefined => {
    const own = indexOf(map).get(name);
    if (own !== undefined || depth > MAX_DEPTH) return own;
    for (const { value } of pairsOf(map).filter(({ key }) => isMergeKey(key))) {
      for (const source of mergeSources(value, targets) ?? []) {
        const inside = followed(source, targets);
        const found = isMap(inside) ? find(inside, name, depth + 1) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return (map, name) => find(map, name, 0);
}
