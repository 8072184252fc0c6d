/**
 * The token of a tool job: where its mailbox lies, and what makes a second start the same job. It names the run and the place of the line in the
 * plan, so that the runner's word of its end leads to the line; the rest cannot be guessed.
 *
 *     <run id>-<order of the line>-<22 characters, base64url>
 */
const form = /^(?<run>[0-9A-Za-z]+)-(?<order>\d+)-[\w-]{22}$/;

/** @param nonce gives fresh random bytes: twelve at a time. */
export function tokenOf(run: string, order: number, nonce: () => Uint8Array): string {
  const random = Buffer.concat([nonce(), nonce()]).subarray(0, 16);
  return `${run}-${order}-${random.toString('base64url')}`;
}

/** Whose job it is; undefined for what is no token. */
export function readToken(token: string): { readonly run: string; readonly order: number } | undefined {
  const { run, order } = form.exec(token)?.groups ?? {};
  return run === undefined ? undefined : { run, order: Number(order) };
}
