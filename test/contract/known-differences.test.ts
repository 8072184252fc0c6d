import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedMachineUnkept, fauxqsUnkept, machineUnkeptBy, memoryQueuesUnkept } from './known-differences.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

test('docs/reliability.md names what each implementation does not keep, and nothing that it keeps', () => {
  const lists = { MiniStack: machineUnkeptBy('MiniStack 1.5.33'), 'embedded stack': embeddedMachineUnkept, fauxqs: fauxqsUnkept, memory: memoryQueuesUnkept };
  const known = Object.entries(lists).flatMap(([who, unkept]) => Object.entries(unkept).map(([promise, instead]) => ({ promise, who, instead })));
  const table = rows.slice(rows.indexOf('| Not kept | By | Instead |') + 1);
  const told = table
    .slice(
      0,
      table.findIndex((row) => row.startsWith('| What was wrong')),
    )
    .map((row) => row.split('|').map((cell) => cell.trim()));
  expect(told.map(([, promise, who, instead]) => ({ promise, who: who?.replace(/ \(.*/, ''), instead }))).toEqual(known);
});
