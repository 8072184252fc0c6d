/** How many requests of one step go to the table at once. */
const atOnce = 16;

/** Does something for each thing, sixteen at a time, so that no burst outlasts the time-outs of its own requests. */
export async function inBatches<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < things.length; start += atOnce) {
    results.push(...(await Promise.all(things.slice(start, start + atOnce).map(work))));
  }
  return results;
}
