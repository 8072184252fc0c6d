import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What tells the code of two builds apart: the first 16 hex digits of a SHA-256 over every function's bundle below a folder, by name.
 * Undefined where nothing was built. Versions do not tell it: the code between two of them has many states.
 */
export function codeHash(functions: string): string | undefined {
  const bundles = (existsSync(functions) ? readdirSync(functions).sort() : []).map((name) => [name, join(functions, name, 'index.mjs')] as const);
  const built = bundles.filter(([, file]) => existsSync(file));
  if (built.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const [name, file] of built) hash.update(`${name}\0`).update(createHash('sha256').update(readFileSync(file)).digest());
  return hash.digest('hex').slice(0, 16);
}
