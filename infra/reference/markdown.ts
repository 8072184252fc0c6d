/** A Markdown table: head, then rows. A `|` inside a cell is escaped, so that it ends nothing. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** `text` as code; nothing for nothing. */
export const code = (text: string): string => `\`${text}\``;

/** Said at the top of every page that is made from the code. */
export const generatedFrom = (sources: string): string =>
  `<!-- Made by \`npm run schema\` from ${sources}. A test fails while this page is older than they are. -->`;

/** Sections with a blank line between them, and one newline at the end. */
export const page = (...sections: readonly string[]): string => `${sections.map((section) => section.trim()).join('\n\n')}\n`;
