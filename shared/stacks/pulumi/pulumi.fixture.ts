import { readFileSync } from 'node:fs';
import { parseJson } from '../../drift/readers/json-text.ts';
import { fingerprintKey } from '../../secrets/keys.ts';
import type { StackChange } from '../tool-work.ts';
import type { Telling } from './change.ts';
import { previewed, previewOutput } from './preview.ts';

/** One of the recordings of Pulumi 3.259.0. */
export const recording = (name: string): Buffer => readFileSync(new URL(`../../../test/recordings/pulumi/${name}`, import.meta.url));

export const telling: Telling = { key: fingerprintKey('a key of a stack, which is long enough'), show: [] };

export const urn = (name: string, type = 'aws:s3/bucket:Bucket'): string => `urn:pulumi:dev::shop::${type}::${name}`;
export const root = urn('shop-dev', 'pulumi:pulumi:Stack');

export interface Held {
  readonly inputs?: object;
  readonly outputs?: object;
  readonly id?: string;
  readonly urn?: string;
  readonly delete?: boolean;
  readonly retainOnDelete?: boolean;
}

const stateOf = (of: string, held: Held | undefined): object | null =>
  held === undefined ? null : { urn: of, custom: true, id: 'i', inputs: {}, outputs: {}, ...held };

/** An event of a step: `begun` and `ended` are Pulumi's `resourcePreEvent` and `resOutputsEvent`. */
export function event(kind: 'begun' | 'ended', op: string, of: string, old?: Held, now?: Held, more: object = {}): object {
  const metadata = { op, urn: of, type: of.split('::')[2], old: stateOf(of, old), new: stateOf(of, now), detailedDiff: null, ...more };
  return { sequence: 1, timestamp: 1796005154, [kind === 'begun' ? 'resourcePreEvent' : 'resOutputsEvent']: { metadata } };
}

export const summary = (resourceChanges: Readonly<Record<string, number>>, more: object = {}): object => ({
  sequence: 9,
  timestamp: 1796005154,
  summaryEvent: { maybeCorrupt: false, durationSeconds: 1, resourceChanges, PolicyPacks: {}, isPreview: true, result: 'succeeded', ...more },
});

export const stream = (...events: readonly object[]): Buffer => Buffer.from(events.map((one) => `${JSON.stringify(one)}\n`).join(''));

export const preview = (output: Uint8Array, more: Partial<Telling> = {}, saved?: Uint8Array) =>
  previewed(previewOutput(output), { ...telling, ...more }, saved === undefined ? undefined : parseJson(saved));

/** A change in one line: actions, address without what all URNs of the recordings share, paths with `!` where they force a replacement. */
export function line({ address, actions, previousAddress, paths, replacePaths = [] }: StackChange): string {
  const short = (text: string): string => text.replace(/^urn:pulumi:dev::(?:drift-demo|shop)::/, '');
  const from = previousAddress === undefined ? [] : [`(was ${short(previousAddress)})`];
  return [actions.join('+'), short(address), ...from, ...paths.map((path) => `${path}${replacePaths.includes(path) ? '!' : ''}`)].join(' ');
}
