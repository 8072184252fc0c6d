/** What an implementation is known not to keep of a contract: said by name, with the reason, and shown by a test of its own. */
import { test } from 'vitest';

/** By promise, what it does instead. */
export type Unkept<Promised extends string> = Readonly<Partial<Record<Promised, string>>>;

/**
 * Tests one promise that not everybody keeps. Where it is not kept, what happens instead is tested: whoever comes to keep it fails that
 * test, and leaves the list.
 */
export function testPromise<Promised extends string>(
  unkept: Unkept<Promised>,
  promise: Promised,
  { kept, instead }: { readonly kept: () => Promise<void>; readonly instead: () => Promise<void> },
): void {
  const what = unkept[promise];
  if (what === undefined) test(promise, kept);
  else test(`NOT KEPT: ${promise}: ${what}`, instead);
}

/** The lists of what is known, printed where somebody looks at an endpoint. */
export function sayUnkept(name: string, contract: string, unkept: Unkept<string>): void {
  for (const [promise, what] of Object.entries(unkept)) process.stdout.write(`${name} does not keep of the ${contract}: ${promise}: ${what}\n`);
}
