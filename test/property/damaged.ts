import fc from 'fast-check';

/** A text as an unlucky hand leaves it: a part of at most 40 characters replaced by one of the patches, or copied to another place. */
export function damaged(text: string, patches: readonly string[]): fc.Arbitrary<string> {
  const place = fc.nat(text.length);
  const part = fc.tuple(place, place).map(([one, other]) => {
    const from = Math.min(one, other);
    return [from, Math.min(Math.max(one, other), from + 40)] as const;
  });
  const patched = fc.tuple(part, fc.constantFrom(...patches)).map(([[from, to], patch]) => text.slice(0, from) + patch + text.slice(to));
  const copied = fc.tuple(part, place).map(([[from, to], target]) => text.slice(0, target) + text.slice(from, to) + text.slice(target));
  return fc.oneof(patched, copied);
}
