/** Names from the file, fit for one line of a message: cut, control characters shown as what they are. Never used on values. */
export function quoted(name: string): string {
  const cut = name.length > 80 ? `${name.slice(0, 79)}…` : name;
  const visible = cut.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `\`${visible.toWellFormed()}\``;
}

/** `a`, `b` and `c`; long lists end with how many were left out. */
export function listed(names: readonly string[], conjunction: 'and' | 'or' = 'and', most = 20): string {
  const shown = names.slice(0, most).map(quoted);
  if (names.length > most) return `${shown.join(', ')} ${conjunction} ${names.length - most} more`;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} ${conjunction} ${shown.at(-1)}`;
}

/** What a value is, in the words of the file's format. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  return 'a map';
}

export const isPlainMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
