import { describe, expect, it } from 'vitest';
import { errorText, errorTextLimit } from './error-text.ts';

const redact = (text: string): string => text.replaceAll('hunter2-hunter2', '(secret)');
const plain = (text: string): string => text;

describe('the text of a provider’s error', () => {
  it('is what the provider says, without the JSON around it', () => {
    expect(errorText('{"errors":[{"code":"taken","message":"Taken.","long_message":"That one is taken."}],"trace":"z"}', plain)).toBe(
      'taken: Taken.: That one is taken.',
    );
  });

  it('is the body where nothing in it speaks', () => {
    expect(errorText('{"reason":"full"}', plain)).toBe('{"reason":"full"}');
  });

  it('is one line without control and direction characters', () => {
    expect(errorText('a\r\n\tb\u001b[31m c\u202e d', plain)).toBe('a b[31m c d');
  });

  it('is masked before it is cut, so that no half of a secret stands at the end', () => {
    const text = errorText(`${'x'.repeat(errorTextLimit - 5)}hunter2-hunter2`, redact);
    expect(text).not.toContain('hunt');
    expect(text).toContain('(secr');
  });

  it('is masked again after control characters are gone, which could join the halves of a secret', () => {
    expect(errorText('hunter2-\u0000hunter2', redact)).toBe('(secret)');
    expect(errorText(`${'x'.repeat(errorTextLimit - 5)}hunter2-\u0000hunter2`, redact)).not.toContain('hunt');
  });

  it('is masked before lines are joined, so that a secret of several lines is found', () => {
    const key = 'BEGIN KEY\nabc\nEND KEY';
    expect(errorText(`refused: ${key}`, (text) => text.replaceAll(key, '(secret)'))).toBe('refused: (secret)');
  });

  it('is masked after JSON is undone, so that an escaped secret is found', () => {
    expect(errorText('{"message":"hunter2\\u002dhunter2 is weak"}', redact)).toBe('(secret) is weak');
  });

  it('says how long it was when it is cut, and splits no character', () => {
    const text = errorText(`${'x'.repeat(errorTextLimit - 1)}😀${'y'.repeat(100)}`, plain);
    expect(text).toBe(`${'x'.repeat(errorTextLimit - 1)}… (601 characters)`);
  });
});
