/** What a colour takes in a text, and not on the screen. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Columns of a text without its colours. */
const columnsOf = (text: string): number => text.replace(colours, '').length;

/** What is never broken: a word, and a command between backticks, which is typed as it stands. */
function unbroken(text: string): string[] {
  const parts: string[] = [];
  let open: string[] = [];
  for (const word of text.split(' ')) {
    const isCommand = open.length > 0 !== (word.split('`').length % 2 === 0);
    open.push(word);
    if (isCommand) continue;
    parts.push(open.join(' '));
    open = [];
  }
  // A backtick that nothing closes begins no command.
  return [...parts, ...open];
}

/** Breaks text between words, never inside one, nor inside a command; the first row starts with `start`, the others with `hang`. */
export function wrap(text: string, hang: string, width: number, start = ''): string[] {
  const rows: string[] = [];
  let row = start;
  let empty = true;
  for (const word of unbroken(text)) {
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
    // A command that stands alone is copied as it is.
    return columnsOf(one) <= width || one.startsWith(`${indent}lockkeeper `) ? one : wrap(one.slice(indent.length), `${indent}  `, width, indent).join('\n');
  };
  return text.split('\n').map(row).join('\n');
}
