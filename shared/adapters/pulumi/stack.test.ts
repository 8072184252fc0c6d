import { describe, expect, it } from 'vitest';
import type { ResolvedParams, Value } from '../../engine/value.ts';
import { stack } from './stack.ts';

const known = (value: string | number | boolean, sensitive = false): Value => ({ kind: 'known', value, sensitive });
const of = (more: ResolvedParams = {}) => stack.stack?.of({ path: known('infra/net'), stack: known('acme/shop/dev.v2'), ...more });

describe('a line of Pulumi', () => {
  it('names one stack of one project, and what its configuration is given; what is pending is left out, and the line is not planned yet', () => {
    expect(of()).toEqual({ tool: 'pulumi', root: { path: 'infra/net', stack: 'acme/shop/dev.v2', varFiles: [] }, variables: {}, secretVariables: [] });
    const config = { size: known(5), 'aws:secretKey': known('x', true), later: { kind: 'unresolved', reference: 'a.b' } as unknown as Value };
    expect(of({ version: known('3.259.0'), config })).toMatchObject({
      version: '3.259.0',
      variables: { size: 5, 'aws:secretKey': 'x' },
      secretVariables: ['aws:secretKey'],
    });
  });

  it.each([
    ['a stack that is secret', { stack: known('x', true) }, 'SECRET_IN_IDENTITY'],
    ['a value that is kept', { config: { size: { kind: 'keep' } as Value } }, 'PARAM_INVALID'],
  ])('refuses %s', (_, more, code) => {
    expect(() => of(more)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['a stack with dots', { stack: 'dev.v2' }, true],
    ['a stack with its organization', { stack: 'acme/dev' }, true],
    ['a stack that Pulumi would take for an option', { stack: '--yes' }, false],
    ['a stack of four parts', { stack: 'a/b/c/d' }, false],
    ['no stack', { stack: '' }, false],
    ['a path that leads out', { path: '../infra' }, false],
    ['an absolute path', { path: '/infra' }, false],
    ['a path that has another name for the same folder', { path: 'infra//net' }, false],
    ['a name of the configuration that is an option', { config: { '--secret': 'x' } }, false],
    ['a name with a namespace', { config: { 'aws:region': 'eu-central-1' } }, true],
    ['a version that is no whole one', { version: '3.259' }, false],
    ['what is no parameter', { refresh: true }, false],
  ])('as written with %s', (_, more, is) => {
    expect(stack.params.safeParse({ path: 'infra/net', stack: 'dev', ...more }).success).toBe(is);
  });

  it('declares the outputs that it names', () => {
    expect(Object.keys(stack.outputsFor?.({ path: 'x', stack: 'dev', outputs: ['url', 'db.host'] }) ?? {})).toEqual(['url', 'db.host']);
  });
});
