/** A process of its own that reads one large input and prints how many records of each status it has: `test` gives it little memory. */
import { readFileSync } from 'node:fs';
import { countsOf } from '../document.ts';
import { inputText } from './input.ts';
import { readToolOutput } from './read-output.ts';

const [path = ''] = process.argv.slice(2);
const context = { member: 'shop', observedAt: '2026-12-01T00:00:00Z', show: [], graph: { root: 'shop', has: () => true } };
const { reading } = readToolOutput({ text: inputText(readFileSync(path)) }, context);
process.stdout.write(JSON.stringify(countsOf(reading.records)));
