/**
 * Whether `METHOD /glob` covers a request. The method may be `*`; in the path `*` stands for any text within one segment and
 * `**` for any text at all. The path has no query and no prefix such as `/api/v2`.
 */
export function covers(rule: string, method: string, path: string): boolean {
  const [wanted, glob] = rule.split(' ');
  if (wanted === undefined || glob === undefined) return false;
  if (wanted !== '*' && wanted.toUpperCase() !== method) return false;
  return expression(glob).test(path);
}

/** Whether a text is of the form `METHOD /glob`. */
export function isRule(text: string): boolean {
  return /^(\*|[A-Za-z]+) \/\S*$/.test(text);
}

function expression(glob: string): RegExp {
  const pieces = glob.split(/(\*\*|\*)/).map((piece) => {
    if (piece === '**') return '.*';
    if (piece === '*') return '[^/]*';
    return piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${pieces.join('')}$`);
}
