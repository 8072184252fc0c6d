/** Characters of a provider's text that are kept. */
export const errorTextLimit = 500;

/** Fields in which providers put what a person should read. */
const spokenFields = new Set(['code', 'message', 'long_message', 'error', 'errors', 'detail', 'error_description']);
const deepest = 4;

/**
 * A provider's error body, as far as people may see it. Masked before it is flattened, so that a secret that spans lines is found,
 * and again afterwards, because dropping a control character can join the halves of one; only then cut, so that no half of a
 * secret stands at the end.
 */
export function errorText(body: string, redact: (text: string) => string): string {
  const spoken = sentences(body).map(redact).join(': ');
  return cut(redact(flatten(spoken)));
}

function sentences(body: string): string[] {
  try {
    const found = [...new Set(spokenIn(JSON.parse(body), deepest))];
    return found.length > 0 ? found : [body];
  } catch {
    // Not JSON: a proxy's page, or plain text.
    return [body];
  }
}

function spokenIn(node: unknown, depth: number): string[] {
  if (typeof node === 'string') return node === '' ? [] : [node];
  if (typeof node !== 'object' || node === null || depth === 0) return [];
  if (Array.isArray(node)) return node.flatMap((entry) => spokenIn(entry, depth - 1));
  return Object.entries(node).flatMap(([name, value]) => (spokenFields.has(name) ? spokenIn(value, depth - 1) : []));
}

/** One line without control and formatting characters: neither a terminal nor a reader is to be fooled. */
function flatten(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}

function cut(text: string): string {
  if (text.length <= errorTextLimit) return text;
  const kept = text.slice(0, errorTextLimit).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length} characters)`;
}
