import { describe, expect, it } from 'vitest';
import type { Params, Scalar } from '../plan/types.ts';
import { leaves, resolveParams } from './resolve.ts';
import { fieldHashes, hashOfValue, outputsOf, pendingIn, sideOf, type Value } from './value.ts';

const known: Readonly<Record<string, Scalar>> = { 'db.host': 'h.example', 'db.token': 'token-of-db', 'db.port': 5432 };

function resolved(form: Params[string]): Value {
  const params = resolveParams(
    { p: form },
    { output: (line, output) => ({ value: known[`${line}.${output}`], sensitive: output === 'token' }), secret: () => undefined },
  );
  return leaves(params)[0]?.value as Value;
}
const text = (...parts: (string | { from: string })[]) => resolved({ from: 'as it is written', parts });

describe('a text with outputs in it', () => {
  it('is the text with each of them in its place, whatever they look like (R1.33)', () => {
    const value = text('https://', { from: 'db.host' }, ':', { from: 'db.port' }, '/${ctx.env}');
    expect(value).toMatchObject({ kind: 'known', value: 'https://h.example:5432/${ctx.env}', sensitive: false });
    expect(sideOf(value)).toEqual({ state: 'literal', value: 'https://h.example:5432/${ctx.env}' });
  });

  it('is as sensitive as what stands in it, and shown by how it is written', () => {
    const value = text('postgres://u:', { from: 'db.token' }, '@h');
    expect(value).toMatchObject({ kind: 'known', value: 'postgres://u:token-of-db@h', sensitive: true });
    expect(sideOf(value)).toEqual({ state: 'sensitive', ref: 'as it is written' });
  });

  it('is pending while one of them is, and says which; what is known of it is approved as what it was', () => {
    const value = text({ from: 'db.host' }, '-', { from: 'web.url' }, '-', { from: 'db.token' });
    expect(value).toMatchObject({ kind: 'pending', ref: 'as it is written', sensitive: true });
    expect(pendingIn(value)).toEqual(['web.url']);
    expect(outputsOf(value).map(({ ref }) => ref)).toEqual(['db.host', 'web.url', 'db.token']);
    expect(sideOf(value)).toEqual({ state: 'pending', ref: 'as it is written', on: ['web.url'] });
    expect(fieldHashes(undefined, value)).toEqual({ hashesKnown: { 'db.host': hashOfValue('h.example'), 'db.token': hashOfValue('token-of-db') } });
  });
});
