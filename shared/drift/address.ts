/**
 * Addresses as Terraform writes them, and ours after the same manner: `module.app[0].aws_eip.pool["a.b"]`, `web-env["env:NAME"]`.
 */

/** One name of an address with the instance keys behind it, as written: `pool["a.b"]` is `pool` and `["a.b"]`. */
interface Step {
  readonly name: string;
  readonly key: string;
}

const stepForm = /([^.[\]"]+)((?:\[(?:-?\d+|"(?:[^"\\]|\\.)*")\])?)(\.|$)/gy;

/** The steps of an address; undefined when it is none. */
function stepsOf(address: string): Step[] | undefined {
  const steps: Step[] = [];
  let end = 0;
  for (const match of address.matchAll(stepForm)) {
    end = match.index + match[0].length;
    steps.push({ name: match[1] ?? '', key: match[2] ?? '' });
    if (match[3] === '') return end === address.length ? steps : undefined;
  }
  return undefined;
}

/** A node of the graph below a member's root, and the block it is an instance of where it is one. */
export interface Place {
  readonly node: string;
  readonly instanceOf?: string;
}

/**
 * Where an instance stands below its root (R3.17): module calls and block are segments of their own, each with its own instance key. The
 * block node is the same without any key.
 *
 * @returns undefined for what is no address.
 */
export function placeOf(address: string): Place | undefined {
  const steps = stepsOf(address);
  if (steps === undefined) return undefined;
  const segments: Step[] = [];
  let at = 0;
  for (; steps[at]?.name === 'module' && steps[at]?.key === '' && steps[at + 1] !== undefined; at += 2) {
    const call = steps[at + 1];
    segments.push({ name: `module.${call?.name}`, key: call?.key ?? '' });
  }
  const block = steps.slice(at);
  if (block.length === 0 || block.slice(0, -1).some(({ key }) => key !== '')) return undefined;
  segments.push({ name: block.map(({ name }) => name).join('.'), key: block.at(-1)?.key ?? '' });
  const node = segments.map(({ name, key }) => name + key).join('/');
  const blockNode = segments.map(({ name }) => name).join('/');
  return node === blockNode ? { node } : { node, instanceOf: blockNode };
}

/** The address of one resource of a line of ours: the line, and its resource's key as an instance key. */
export const resourceAddress = (line: string, key: string): string => `${line}[${JSON.stringify(key)}]`;
