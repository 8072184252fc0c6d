import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { folderJournal } from './journal.ts';
import { openObjectStore } from './object-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-journal-'));
afterEach(() => rmSync(folder, { recursive: true }));

test('a line torn by a crash is cut off, and what is written afterwards is read again', () => {
  const store = openObjectStore(folderJournal(folder));
  store.createBucket('b', true);
  store.put('b', 'whole', Buffer.from('ä'), {});
  appendFileSync(join(folder, 'log.jsonl'), '{"change":"version","buck');
  openObjectStore(folderJournal(folder)).put('b', 'after', Buffer.from('x'), {});
  const again = openObjectStore(folderJournal(folder));
  expect(again.list('b', '').map(([key]) => key)).toEqual(['after', 'whole']);
  expect(again.body(again.find('b', 'whole')).toString()).toBe('ä');
});
