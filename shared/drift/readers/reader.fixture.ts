import { readFileSync } from 'node:fs';
import type { DriftRecord } from '../record.ts';
import { inputBytes } from './input.ts';
import type { Json } from './json.ts';
import { parseJson } from './json-text.ts';
import { type ReadOutput, readToolOutput, type ToolOutput } from './read-output.ts';
import type { ReaderContext } from './reading.ts';

export const context: ReaderContext = { member: 'shop', observedAt: '2026-12-01T00:00:00Z', show: [], graph: { root: 'shop', has: () => true } };

/** One of test/recordings, by its path there. */
export const recording = (path: string): Buffer => readFileSync(new URL(`../../../test/recordings/${path}`, import.meta.url));

export const recorded = (path: string): Json => parseJson(recording(path));

export const read = (
  input: Uint8Array | string | object,
  more: Partial<ReaderContext> & { readonly beside?: Uint8Array } & Pick<ToolOutput, 'engine'> = {},
): ReadOutput => {
  const { beside, engine, ...of } = more;
  const rest = { ...(beside === undefined ? {} : { beside: inputBytes(beside) }), ...(engine === undefined ? {} : { engine }) };
  return readToolOutput({ bytes: inputBytes(bytesOf(input)), ...rest }, { ...context, ...of });
};

export const bytesOf = (input: Uint8Array | string | object): Uint8Array =>
  input instanceof Uint8Array ? input : Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));

/** A record in one line: its status, its address without what all URNs of the recordings share, its paths with `!` where they are sensitive, its reason. */
export function line({ status, address, attributes = [], unobserved, attributesUnobserved }: DriftRecord): string {
  const name = address.replace(/^urn:pulumi:dev::drift-demo::/, '');
  const paths = attributes.map(({ path, sensitive }) => `${path}${sensitive === true ? '!' : ''}`);
  const reason = unobserved === undefined ? [] : [`(${unobserved.reason})`];
  const hole = attributesUnobserved === undefined ? [] : [`[${attributesUnobserved.reason}]`];
  return [status, name, ...paths, ...reason, ...hole].join(' ');
}

export const lines = ({ reading }: ReadOutput): string[] => reading.records.map(line).sort();
