import { placeOf } from '../address.ts';
import type { MemberGraph } from '../placement.ts';
import { isMap, type Json, memberOf } from './json.ts';

/** The blocks that a plan's configuration declares, as nodes below the root: `module.app/aws_eip.pool`. */
export function declaredBlocks(document: Json): ReadonlySet<string> {
  const blocks = new Set<string>();
  const walk = (module: Json | undefined, above: readonly string[]): void => {
    if (!isMap(module)) return;
    const resources = memberOf(module, 'resources');
    for (const block of Array.isArray(resources) ? (resources as readonly Json[]) : []) {
      if (!isMap(block)) continue;
      const name = `${String(memberOf(block, 'type'))}.${String(memberOf(block, 'name'))}`;
      blocks.add([...above, memberOf(block, 'mode') === 'data' ? `data.${name}` : name].join('/'));
    }
    const calls = memberOf(module, 'module_calls');
    if (isMap(calls)) for (const [name, call] of Object.entries(calls)) if (isMap(call)) walk(memberOf(call, 'module'), [...above, `module.${name}`]);
  };
  const configuration = isMap(document) ? memberOf(document, 'configuration') : undefined;
  if (isMap(configuration)) walk(memberOf(configuration, 'root_module'), []);
  return blocks;
}

/** Whether the block that an address is an instance of is among these. */
export function isDeclared(blocks: ReadonlySet<string>, address: string): boolean {
  const place = placeOf(address);
  return place !== undefined && blocks.has(place.instanceOf ?? place.node);
}

/** A root's graph as a plan of it tells it: what no block declares any more stands nowhere (R3.17). */
export function graphOfPlan(document: Json, member: string): MemberGraph {
  const blocks = declaredBlocks(document);
  const below = `${member}/${member}/`;
  return { root: member, has: (node) => node.startsWith(below) && blocks.has(node.slice(below.length)) };
}
