/**
 * The limits of Block Kit for the kinds of blocks that are looked at here, as docs.slack.dev/reference/block-kit has them; any other kind
 * is refused, so that whoever sends one writes its limits down first.
 */
import { type Json, objectOf } from '../wire/answer.ts';

/** What Slack would find wrong with a message's blocks. */
export function blockComplaints(blocks: unknown): string[] {
  if (!Array.isArray(blocks)) return ['blocks must be a list'];
  const ids = blocks.flatMap((block) => objectOf(block)?.['block_id'] ?? []);
  return [
    ...(blocks.length > 50 ? [`${blocks.length} blocks, at most 50`] : []),
    ...(blocks.length === 0 ? ['no blocks'] : []),
    ...(new Set(ids).size < ids.length ? ['two blocks have one block_id'] : []),
    ...(textOf(blocks).length > 13_000 ? ['msg_blocks_too_long'] : []),
    ...blocks.flatMap((block, at) => complaintsOf(objectOf(block) ?? {}).map((complaint) => `/blocks/${at}: ${complaint}`)),
  ];
}

function complaintsOf(block: Json): string[] {
  const id = within('block_id', block['block_id'], 1, 255, true);
  switch (block['type']) {
    case 'section':
      return [...id, ...only(block, ['type', 'block_id', 'text']), ...text('text', block['text'], 3000, ['mrkdwn', 'plain_text'])];
    case 'context': {
      const elements = listOf(block['elements']);
      return [
        ...id,
        ...only(block, ['type', 'block_id', 'elements']),
        ...size('elements', elements, 10),
        ...elements.flatMap((each) => text('element', each, 3000, ['mrkdwn', 'plain_text'])),
      ];
    }
    case 'actions': {
      const elements = listOf(block['elements']);
      const actions = elements.map((each) => objectOf(each)?.['action_id']);
      return [
        ...id,
        ...only(block, ['type', 'block_id', 'elements']),
        ...size('elements', elements, 25),
        ...(new Set(actions).size < actions.length ? ['two elements have one action_id'] : []),
        ...elements.flatMap((each) => buttonComplaints(objectOf(each) ?? {})),
      ];
    }
    default:
      return [`unsupported type ${String(block['type'])}`];
  }
}

function buttonComplaints(button: Json): string[] {
  const style = button['style'];
  return [
    ...only(button, ['type', 'action_id', 'text', 'value', 'style', 'confirm']),
    ...(button['type'] === 'button' ? [] : [`unsupported element ${String(button['type'])}`]),
    ...within('action_id', button['action_id'], 1, 255),
    ...text('button', button['text'], 75, ['plain_text']),
    ...within('value', button['value'], 1, 2000, true),
    ...(style === undefined || style === 'primary' || style === 'danger' ? [] : [`style ${String(style)}`]),
    ...(button['confirm'] === undefined ? [] : confirmComplaints(objectOf(button['confirm']) ?? {})),
  ];
}

function confirmComplaints(confirm: Json): string[] {
  return [
    ...only(confirm, ['title', 'text', 'confirm', 'deny', 'style']),
    ...text('confirm title', confirm['title'], 100, ['plain_text']),
    ...text('confirm text', confirm['text'], 300, ['plain_text', 'mrkdwn']),
    ...text('confirm button', confirm['confirm'], 30, ['plain_text']),
    ...text('deny button', confirm['deny'], 30, ['plain_text']),
  ];
}

function text(name: string, value: unknown, longest: number, types: readonly string[]): string[] {
  const found = objectOf(value);
  const type = found?.['type'];
  if (!found || !types.includes(String(type))) return [`${name}: a text of ${types.join(' or ')} is missing`];
  const allowed = type === 'mrkdwn' ? ['type', 'text', 'verbatim'] : ['type', 'text', 'emoji'];
  return [...only(found, allowed), ...within(name, found['text'], 1, longest)];
}

function within(name: string, value: unknown, least: number, most: number, optional = false): string[] {
  if (value === undefined && optional) return [];
  if (typeof value !== 'string') return [`${name} is no text`];
  return value.length < least || value.length > most ? [`${name} has ${value.length} characters, ${least} to ${most} are taken`] : [];
}

const size = (name: string, list: readonly unknown[], most: number): string[] =>
  list.length === 0 || list.length > most ? [`${name}: ${list.length}, 1 to ${most} are taken`] : [];

const only = (object: Json, names: readonly string[]): string[] =>
  Object.keys(object).flatMap((name) => (names.includes(name) ? [] : [`unknown field ${name}`]));

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Every text of a message, as one. */
export const textOf = (blocks: unknown): string => {
  if (typeof blocks === 'string') return '';
  if (Array.isArray(blocks)) return blocks.map(textOf).join('\n');
  const object = objectOf(blocks);
  if (!object) return '';
  return Object.entries(object)
    .map(([name, value]) => (name === 'text' && typeof value === 'string' ? value : textOf(value)))
    .filter((each) => each !== '')
    .join('\n');
};
