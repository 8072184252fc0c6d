import type { ChatBlock } from '../../ports/chat.ts';

/** The few kinds of blocks that our messages are made of. Limits: docs.slack.dev/reference/block-kit. */
export const limits = { sectionText: 3000, blocks: 50, confirmText: 300, fallback: 4000 } as const;

const text = (mrkdwn: string) => ({ type: 'mrkdwn', text: mrkdwn, verbatim: true });
const plainText = (words: string) => ({ type: 'plain_text', text: words, emoji: false });

export const section = (mrkdwn: string, id?: string): ChatBlock => ({ type: 'section', ...(id === undefined ? {} : { block_id: id }), text: text(mrkdwn) });

/** Small print: each part on its own. */
export const context = (...parts: string[]): ChatBlock => ({ type: 'context', elements: parts.map(text) });

export const actions = (id: string, ...elements: object[]): ChatBlock => ({ type: 'actions', block_id: id, elements });

export interface Button {
  readonly id: string;
  readonly words: string;
  readonly value: string;
  readonly style: 'primary' | 'danger';
  /** Asked before the click counts. */
  readonly confirm?: { readonly title: string; readonly text: string; readonly yes: string; readonly no: string };
}

export function button({ id, words, value, style, confirm }: Button): object {
  const dialog = confirm && {
    title: plainText(confirm.title),
    text: plainText(confirm.text),
    confirm: plainText(confirm.yes),
    deny: plainText(confirm.no),
    style: 'danger',
  };
  return { type: 'button', action_id: id, text: plainText(words), value, style, ...(dialog ? { confirm: dialog } : {}) };
}

/** So many of the rows as fit into `room` characters as they are sent, from the first on. */
export function fitting(rows: readonly string[], most: number, room: number): readonly string[] {
  let left = room;
  const over = rows.findIndex((row, at) => {
    left -= row.length + 1;
    return at >= most || left < 0;
  });
  return over < 0 ? rows : rows.slice(0, over);
}

/** Rows joined into as few sections as hold them, each row whole. */
export function sections(rows: readonly string[]): ChatBlock[] {
  const texts: string[] = [];
  for (const row of rows) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + row.length <= limits.sectionText) texts[texts.length - 1] = `${last}\n${row}`;
    else texts.push(row);
  }
  return texts.map((one) => section(one));
}
