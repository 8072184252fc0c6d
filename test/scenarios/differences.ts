/**
 * How what happened differs from what was expected, one line each; none where it does not. A map's other keys do not matter, a
 * list is whole. In a text `~` asks for a part, `*` for anything.
 */
export function differences(expected: unknown, actual: unknown, at: string): string[] {
  if (expected === undefined) return [];
  if (expected === null) return actual === null || actual === undefined ? [] : [`${at}: expected nothing, was ${shown(actual)}`];
  if (expected === '*') return actual === undefined || actual === null ? [`${at}: expected something, was nothing`] : [];
  if (typeof expected === 'string' && expected.startsWith('~')) {
    return String(actual).includes(expected.slice(1)) ? [] : [`${at}: expected a part ${shown(expected.slice(1))}, was ${shown(actual)}`];
  }
  if (Array.isArray(expected)) return listDifferences(expected, actual, at);
  if (typeof expected === 'object') {
    if (typeof actual !== 'object' || actual === null) return [`${at}: expected ${shown(expected)}, was ${shown(actual)}`];
    return Object.entries(expected).flatMap(([key, value]) => differences(value, (actual as Record<string, unknown>)[key], at === '' ? key : `${at}.${key}`));
  }
  return expected === actual ? [] : [`${at}: expected ${shown(expected)}, was ${shown(actual)}`];
}

function listDifferences(expected: readonly unknown[], actual: unknown, at: string): string[] {
  if (!Array.isArray(actual)) return [`${at}: expected ${shown(expected)}, was ${shown(actual)}`];
  if (actual.length !== expected.length) return [`${at}: expected ${expected.length} of them, ${shown(expected)}, was ${actual.length}: ${shown(actual)}`];
  return expected.flatMap((one, index) => differences(one, actual[index], `${at}[${index}]`));
}

/** Which parts a text lacks, or has although it must not. */
export function partDifferences(wanted: string | readonly string[] | undefined, text: string, at: string): string[] {
  return (typeof wanted === 'string' ? [wanted] : (wanted ?? [])).flatMap((part) => {
    if (part.startsWith('!')) return text.includes(part.slice(1)) ? [`${at}: expected no ${shown(part.slice(1))} in ${shown(text)}`] : [];
    return text.includes(part) ? [] : [`${at}: expected a part ${shown(part)} in ${shown(text)}`];
  });
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)));
