import { createRedactor } from '../redact/redactor.ts';
import type { Attribute, DriftFields } from './record.ts';
import { fieldOrder, isJson } from './rules.ts';
import { jsonInside } from './sensitive-key.ts';

/**
 * Keeps what a tool marked as secret out of everything else that is told of the same input (I1). Tools mark too little: a value that is
 * marked in one place stands unmarked in another, and of a marked JSON text the parts stand alone. So an input is gone through twice: first
 * everything marked is given to `mark`, and only then is a record made, of fields that went through `mask`.
 */
export interface Masking {
  /** From now on nothing of `value` is told: neither as a whole nor any leaf of it, those of JSON text inside a text included. */
  mark(value: unknown): void;
  /**
   * The fields without any marked value. An attribute that holds one has lost both of its values; addresses and paths keep their form, and
   * two that were two stay two.
   */
  mask(fields: DriftFields): DriftFields;
  /** A text for people, as a note or an error, without any marked value. */
  maskText(text: string): string;
}

/** What stands for a text when more was marked than can be looked for. */
const untold = '[REDACTED]';

/** How much is looked for: characters, each value with what its spellings cost besides. Beyond it nothing is told rather than too much. */
const most = 512 * 1024;
const costOfEach = 64;

/** Nobody nests deeper on purpose. */
const deepest = 64;

/**
 * Words that anything may be called by. A name (address, path, type) keeps those, and whatever is short: names come from sources that people
 * read, no tool lets a marked value into one, and an address has to be the same in every read.
 */
const plainWords = /^[a-z]+(?:[-_.:/][a-z]+)*$/i;
const shortestInName = 8;
const nameParts = /[^.[\]"/$:]+/g;

export function createMasking(): Masking {
  const texts = createRedactor(new Set());
  const names = createRedactor(new Set());
  const leaves = new Set<string>();
  const renamed = new Map<string, Map<string, string>>();
  let cost = 0;

  function mark(value: unknown, depth = 0): void {
    if (value === null || value === undefined || typeof value === 'boolean' || value === '') return;
    if (depth > deepest) cost = Number.POSITIVE_INFINITY;
    else if (typeof value === 'string' || typeof value === 'number') markLeaf(value, depth);
    else if (typeof value === 'object') for (const part of Object.values(value)) mark(part, depth + 1);
  }

  function markLeaf(value: string | number, depth: number): void {
    const text = String(value);
    if (leaves.has(text) || cost > most) return;
    leaves.add(text);
    cost += costOfEach + text.length;
    if (cost > most) return;
    texts.register(text);
    if (isSecretLooking(text)) names.register(text);
    if (typeof value === 'string') mark(jsonInside(value), depth + 1);
  }

  const maskText = (text: string): string => (cost > most || leaves.has(text) ? untold : texts.mask(text));
  const maskName = (name: string): string => (cost > most ? name.replace(nameParts, (part) => (isSecretLooking(part) ? untold : part)) : names.mask(name));

  /** Two names that both carry a secret stay two names; the same one is masked alike each time. */
  function apart(kind: string, name: string): string {
    const masked = maskName(name);
    if (masked === name) return name;
    const known = renamed.get(masked) ?? new Map<string, string>();
    renamed.set(masked, known);
    const id = `${kind} ${name}`;
    const mine = known.get(id) ?? (known.size === 0 ? masked : `${masked} (${known.size + 1})`);
    known.set(id, mine);
    return mine;
  }

  /** Whether a value is, or holds, something marked. */
  function holds(value: unknown): boolean {
    if (cost > most) return value !== undefined;
    if (typeof value === 'string' || typeof value === 'number') return leaves.has(String(value)) || texts.contains(String(value));
    if (typeof value !== 'object' || value === null) return false;
    if (!isJson(value)) return true;
    return Object.entries(value).some(([key, held]) => texts.contains(key) || holds(held)) || texts.contains(JSON.stringify(value));
  }

  function maskAttribute({ path, before, after, ...rest }: Attribute): Attribute {
    const hidden = holds(before) || holds(after);
    const values = hidden ? { sensitive: true } : { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    return { ...rest, path: apart('path', path), ...values };
  }

  function maskLeaves(value: unknown): unknown {
    if (typeof value === 'string') return maskText(value);
    if (typeof value === 'number') return holds(value) ? untold : value;
    if (Array.isArray(value)) return value.map(maskLeaves);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [maskName(key), maskLeaves(held)]));
  }

  function mask(fields: DriftFields): DriftFields {
    const carried = Object.entries(fields).filter(([name, value]) => !fieldOrder.includes(name) && isJson(value));
    const { address, node, instanceOf, resourceType, unobserved, attributes, attributesUnobserved, ownership, evidence } = fields;
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => fieldOrder.includes(name))) as unknown as DriftFields;
    return {
      ...known,
      ...(maskLeaves(Object.fromEntries(carried)) as object),
      address: apart('address', address),
      node: node === null ? null : maskName(node),
      ...(instanceOf === undefined ? {} : { instanceOf: maskName(instanceOf) }),
      ...(resourceType === undefined ? {} : { resourceType: maskName(resourceType) }),
      ...(unobserved === undefined ? {} : { unobserved: told(unobserved, maskText) }),
      ...(attributes === undefined ? {} : { attributes: attributes.map(maskAttribute) }),
      ...(attributesUnobserved === undefined ? {} : { attributesUnobserved: told(attributesUnobserved, maskText) }),
      ...(ownership === undefined ? {} : { ownership: told(ownership, maskText) }),
      ...(evidence === undefined ? {} : { evidence: told(evidence, maskText) }),
    };
  }

  return { mark, mask, maskText };
}

const isSecretLooking = (text: string): boolean => text.length >= shortestInName && !plainWords.test(text);

/** Words of closed lists stay as they are. */
const closed: ReadonlySet<string> = new Set(['reason', 'verdict', 'by']);

function told<T extends object>(part: T, maskText: (text: string) => string): T {
  // The shape stays: only texts change.
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, typeof value === 'string' && !closed.has(name) ? maskText(value) : value])) as T;
}
