import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schemaFiles } from './schemas.ts';

describe('a schema file that is checked in', () => {
  it.each(Object.entries(schemaFiles))('%s is what `npm run schema` writes', (path, content) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(content());
  });
});
