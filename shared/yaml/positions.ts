import { isMap, isSeq, type Node } from 'yaml';
import type { YamlDocument } from './document.ts';
import { type AliasTargets, followed, pairFinder, startOf, type YamlPair } from './map.ts';
import type { PositionOf } from './place.ts';

/** The way from a path back to its place in the document. Looks when it is asked: most plans have no mistake to point at. */
export function positionsIn(document: YamlDocument, targets: AliasTargets): PositionOf {
  const pairNamed = pairFinder(targets);
  return (path, of = 'value') => {
    let node: Node | null = document.root;
    let offset = node === null ? 0 : startOf(node);
    for (const [index, step] of path.entries()) {
      const inside = followed(node, targets);
      const keyWanted = of === 'key' && index === path.length - 1;
      const found = isSeq(inside) ? itemAt(inside.items, step) : isMap(inside) ? entryAt(pairNamed(inside, String(step)), keyWanted) : undefined;
      if (found === undefined) break;
      node = found.node;
      offset = found.offset ?? offset;
    }
    return document.position(offset);
  };
}

interface Found {
  readonly node: Node | null;
  readonly offset: number | undefined;
}

function itemAt(items: readonly unknown[], step: string | number): Found | undefined {
  const node = items[Number(step)] as Node | undefined;
  return node && { node, offset: startOf(node) };
}

function entryAt(pair: YamlPair | undefined, keyWanted: boolean): Found | undefined {
  if (pair === undefined) return undefined;
  const place = keyWanted ? pair.key : (pair.value ?? pair.key);
  return { node: pair.value, offset: place === null ? undefined : startOf(place) };
}
