import { describe, expect, test } from 'vitest';
import { wireBody } from '../http/wire-body.ts';
import { filled, named, placeholdersIn } from './placeholders.ts';
import { isField, merged, valueAt, withValueAt } from './pointer.ts';

describe('a path', () => {
  test('takes each value as one step, whatever is in it', () => {
    expect(filled('/projects/{project}/flags/{id}?x={project}', { project: 'a/b', id: '?#%' })).toBe('/projects/a%2Fb/flags/%3F%23%25?x=a%2Fb');
    expect(placeholdersIn('/a/{x}/{y}/{x}/${ctx.scope}')).toEqual(['x', 'y']);
  });

  test.each([
    ['/a/{x}', { x: '..' }],
    ['/a/{x}/b', { x: '.' }],
    ['/a/{x}', { x: '' }],
    ['/a/../b', {}],
    ['/a/%2e%2E/b', {}],
    ['/a#b', {}],
    ['https://other.example', {}],
  ])('that would leave the API is refused: %s %j', (path, values) => {
    expect(() => filled(path, values as Record<string, string>)).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
  });

  test('in a name keeps the mark of an output that is not there yet', () => {
    expect(named('/sites/{site}', { site: '{web.id}' })).toBe('/sites/{web.id}');
    expect(named('/sites/{site}', { site: 'a/b' })).toBe('/sites/a%2Fb');
  });
});

describe('a field (RFC 6901)', () => {
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7, deep: { x: { y: null } } };
  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/foo/00', undefined],
    ['/foo/2', undefined],
    ['/foo/length', undefined],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/ ', 7],
    ['a/b', 1],
    ['foo', ['bar', 'baz']],
    ['/deep/x/y', null],
    ['/deep/x/y/z', undefined],
    ['toString', undefined],
  ])('%j is found', (field, value) => {
    expect(valueAt(document, field)).toEqual(value);
  });

  test('is put where it belongs, and the document given stays', () => {
    const before = { a: { b: 1 }, list: [1, 2] };
    expect(withValueAt(before, '/a/c/d', 2)).toEqual({ a: { b: 1, c: { d: 2 } }, list: [1, 2] });
    expect(withValueAt(before, '/list/1', 9)).toEqual({ a: { b: 1 }, list: [1, 9] });
    expect(withValueAt({}, '__proto__', 1)).toSatisfy((made: object) => Object.hasOwn(made, '__proto__'));
    expect(before).toEqual({ a: { b: 1 }, list: [1, 2] });
    expect(isField('/a~2')).toBe(false);
  });

  test('of two bodies are merged at any depth, the second’s first', () => {
    expect(merged({ a: { b: 1, c: 1 }, l: [1] }, { a: { c: 2 }, l: [2, 3] })).toEqual({ a: { b: 1, c: 2 }, l: [2, 3] });
  });
});

describe('a body', () => {
  test('is JSON, or a form in which names nest', () => {
    expect(wireBody({ body: { a: 1 } })).toEqual({ body: { type: 'application/json', text: '{"a":1}' } });
    expect(wireBody({ body: { a: { b: ['x y', true] }, c: 'ü&' }, encoding: 'form' }).body).toEqual({
      type: 'application/x-www-form-urlencoded',
      text: 'a%5Bb%5D%5B0%5D=x+y&a%5Bb%5D%5B1%5D=true&c=%C3%BC%26',
    });
    expect(wireBody({ body: {}, contentType: 'application/merge-patch+json' }).body?.type).toBe('application/merge-patch+json');
    expect(wireBody({})).toEqual({});
  });
});
