import { describe, expect, it } from 'vitest';
import { addRule, emptyRulebook, meet } from './rulebook.ts';

const create = ['neon', 'POST', '/projects/p/branches'] as const;

describe('rules', () => {
  it('concern every write and no read when they say nothing', () => {
    const book = emptyRulebook();
    addRule(book, { fail: { status: 500 }, times: 9 });
    expect(meet(book, 'clerk', 'GET', '/redirect_urls').rule).toBeUndefined();
    expect(meet(book, 'clerk', 'DELETE', '/redirect_urls/1').rule?.fail?.status).toBe(500);
  });

  it('are used up after the number of times they name', () => {
    const book = emptyRulebook();
    addRule(book, { provider: 'neon', drop: true, times: 2 });
    expect([1, 2, 3].map(() => meet(book, ...create).rule?.drop)).toEqual([true, true, undefined]);
    expect(book.rules).toEqual([]);
  });

  it('let as many requests pass as they skip', () => {
    const book = emptyRulebook();
    addRule(book, { provider: 'neon', hang: true, skip: 2 });
    expect([1, 2, 3, 4].map(() => meet(book, ...create).rule?.hang)).toEqual([undefined, undefined, true, undefined]);
  });

  it('give a request one action, the strongest first', () => {
    const book = emptyRulebook();
    addRule(book, { fail: { status: 503 } });
    addRule(book, { hold: true });
    expect([1, 2, 3].map(() => Object.keys(meet(book, ...create).rule ?? {}))).toEqual([['hold'], ['fail'], []]);
  });

  it('add their latency to any action, and keep it until they are taken away', () => {
    const book = emptyRulebook();
    addRule(book, { latencyMs: 100, on: '* /**' });
    addRule(book, { latencyMs: 5, on: 'POST /projects/*/branches' });
    addRule(book, { drop: true });
    expect(meet(book, ...create)).toMatchObject({ latencyMs: 5, rule: { drop: true } });
    expect(meet(book, ...create)).toEqual({ latencyMs: 5 });
    expect(meet(book, 'clerk', 'GET', '/redirect_urls').latencyMs).toBe(100);
  });

  it('are refused with two actions, with none, and with a key nobody knows', () => {
    const book = emptyRulebook();
    expect(() => addRule(book, { drop: true, hang: true })).toThrow(/exactly one/);
    expect(() => addRule(book, { times: 1 })).toThrow(/exactly one/);
    expect(() => addRule(book, { latncyMs: 1 } as never)).toThrow(/latncyMs/);
    expect(() => addRule(book, { drop: true, on: 'branches' })).toThrow(/METHOD \/glob/);
  });
});
