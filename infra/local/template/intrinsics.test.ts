import { describe, expect, test } from 'vitest';
import { type Lookup, noValue, resolve } from './intrinsics.ts';

const lookup: Lookup = {
  ref: (name) => (name === 'AWS::NoValue' ? noValue : `ref-${name}`),
  attribute: (id, name) => `${id}/${name}`,
  condition: (name) => name === 'Yes',
  mapping: (...path) => path.join('.'),
  located: (text) => text.replace('elsewhere', 'here'),
};

describe('an intrinsic function is replaced by what it stands for', () => {
  test.each<[unknown, unknown]>([
    [{ Ref: 'Table' }, 'ref-Table'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Queue/Arn'],
    [{ 'Fn::GetAtt': 'Nested.Outputs.Url' }, 'Nested/Outputs.Url'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'B' }]] }, 'a-ref-B'],
    [{ 'Fn::Join': ['', ['else', 'where']] }, 'here'],
    [{ 'Fn::Sub': 'x ${A} ${Q.Arn} ${!Literal}' }, 'x ref-A Q/Arn ${Literal}'],
    [{ 'Fn::Sub': ['${own} ${A}', { own: { Ref: 'B' } }] }, 'ref-B ref-A'],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    [{ 'Fn::If': ['Yes', 'then', 'else'] }, 'then'],
    [{ 'Fn::If': ['No', 'then', { Ref: 'Else' }] }, 'ref-Else'],
    [{ 'Fn::FindInMap': ['Map', { Ref: 'A' }, 'second'] }, 'Map.ref-A.second'],
    [{ 'Fn::Equals': [{ Ref: 'A' }, 'ref-A'] }, true],
    [{ 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Not': [{ Condition: 'No' }] }] }, true],
    [{ 'Fn::Or': [{ Condition: 'No' }, { 'Fn::Equals': ['a', 'b'] }] }, false],
  ])('%j', (value, expected) => {
    expect(resolve(value, lookup)).toEqual(expected);
  });
});

test('what resolves to no value is left out of objects and lists', () => {
  expect(resolve({ kept: 1, gone: { Ref: 'AWS::NoValue' }, list: [1, { Ref: 'AWS::NoValue' }] }, lookup)).toEqual({ kept: 1, list: [1] });
});

test('the Condition block of a policy statement is no condition of the template', () => {
  const statement = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  expect(resolve(statement, lookup)).toEqual(statement);
});

test('a function that nobody here knows stops, by its name', () => {
  expect(() => resolve({ 'Fn::Cidr': ['10.0.0.0/16'] }, lookup)).toThrow(/Fn::Cidr/);
});
