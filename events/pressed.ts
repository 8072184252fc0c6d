/**
 * A button of a check run. An answer names the question that stood beside it (`questionTag`), and as much of its plan's digest as people type:
 * pressed on a page that somebody opened an hour ago, it answers what they saw there, and nothing newer, be it the same plan asked about anew.
 */
export type Pressed = { readonly verb: 'approve' | 'reject'; readonly digest: string; readonly question: string } | { readonly verb: 'reconcile' };

const letters = { approve: 'a', reject: 'r' } as const;

/** The identifier by which GitHub tells of it: at most twenty characters, which an answer's are exactly: `a:3f2a9c81e4d0Vb3x_Q`. */
export const identifierOf = (button: Pressed): string =>
  button.verb === 'reconcile' ? button.verb : `${letters[button.verb]}:${button.digest}${button.question}`;

/** What an identifier of ours says; undefined for any other. */
export function pressedOf(identifier: string): Pressed | undefined {
  if (identifier === 'reconcile') return { verb: identifier };
  const [, letter, digest, question] = /^([ar]):([0-9a-f]{12})([\w-]{6})$/.exec(identifier) ?? [];
  if (digest === undefined || question === undefined) return undefined;
  return { verb: letter === 'a' ? 'approve' : 'reject', digest, question };
}
