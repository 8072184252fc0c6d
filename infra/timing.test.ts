import { describe, expect, it } from 'vitest';
import { awsTiming, checkTiming, localTiming, shortTiming, type Timing, visibilityOf } from './timing.ts';

describe('the times of a stack', () => {
  it.each([
    ['a deployed stack', awsTiming],
    ['the embedded stack', localTiming],
    ['story and tests', shortTiming],
  ])('fit together for %s', (_, timing: Timing) => {
    expect(() => checkTiming(timing)).not.toThrow();
  });

  it('give a deployed lease fifteen minutes and a clock that may be off by thirty seconds', () => {
    expect(awsTiming).toMatchObject({ leaseTtlSeconds: 900, skewSeconds: 30 });
  });

  it('hide a message for six time-outs of the function that works on it', () => {
    expect(visibilityOf(100)).toBe(600);
  });

  it('are refused when a lease does not outlive nine attempts at a line, with the figures', () => {
    expect(() => checkTiming({ lineTimeoutSeconds: 2, leaseTtlSeconds: 17, skewSeconds: 0 })).toThrow(
      'TTL of 17 s is below 9 × the line time-out of 2 s = 18 s',
    );
  });

  it('are refused when a control step could outlive its lease', () => {
    expect(() => checkTiming({ lineTimeoutSeconds: 2, leaseTtlSeconds: 18, skewSeconds: 0, controlTimeoutSeconds: 7 })).toThrow(
      'a step could outlive its lease',
    );
  });

  it('are refused when a redelivery would always meet the claim of the attempt that died', () => {
    expect(() => checkTiming({ lineTimeoutSeconds: 2, leaseTtlSeconds: 90, skewSeconds: 10 })).toThrow('every redelivery would meet a live claim');
  });

  it.each([0, 1.5, 901, Number.NaN])('are refused when a time-out is %s seconds', (lineTimeoutSeconds) => {
    expect(() => checkTiming({ lineTimeoutSeconds, leaseTtlSeconds: 90_000, skewSeconds: 0 })).toThrow('Lambda takes whole seconds');
  });

  it.each([-1, Number.NaN])('are refused when the clock skew is %s', (skewSeconds) => {
    expect(() => checkTiming({ ...awsTiming, skewSeconds })).toThrow('the clock skew is');
  });

  it('are refused with every mistake at once', () => {
    const attempt = (): void => checkTiming({ lineTimeoutSeconds: 901, leaseTtlSeconds: 10, skewSeconds: -1 });
    expect(attempt).toThrow(/Lambda takes whole seconds[\s\S]*clock skew[\s\S]*lease TTL/);
  });
});
