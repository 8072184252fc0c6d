/** What a colour takes in a text, and not on the screen. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Columns of a text without its colours. */
const columnsOf = (text: string): number => text.replace(colours, '').length;

/** Breaks text between words, never inside one; the first row starts with `start`, the others with `hang`. */
export function wrap(text: string, hang: string, width: number, start = ''): string[] {
  const rows: string[] = [];
  let row = start;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && columnsOf(row) + 1 + columnsOf(word) > width) {
      rows.push(row);
      row = hang + word;
    } else {
      row += empty ? word : ` ${word}`;
    }
    empty = false;
  }
  return [...rows, row];
}

/** Rows of a text as they fit on a screen: each hangs below itself by two columns more than it is set in. */
export function fitted(text: string, width = Number.POSITIVE_INFINITY): string {
  const row = (one: string): string => {
    const indent = /^ */.exec(one)?.[0] ?? '';
    return columnsOf(one) <= width ? one : wrap(one.slice(indent.length), `${indent}  `, width, indent).join('\n');
  };
  return text.split('\n').map(row).join('\n');
}
