import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from './schemas.ts';

describe('a generated file that is checked in', () => {
  it.each(Object.entries(generatedFiles))('%s is what `npm run schema` writes', (path, content) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(content());
  });
});
