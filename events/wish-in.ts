/** What a comment wants of a run, or of its author's own answer, on its first line. Nothing else of its text is kept. */
export interface WishIn {
  readonly verb: 'withdraw' | 'cancel' | 'undo';
  /** The beginning of a run's id; with `withdraw`, of a plan's digest. */
  readonly of: string;
}

const line = /^[ \t]*\/lockkeeper[ \t]+(withdraw|cancel|undo)[ \t]+(\S{1,128})[ \t]*(?:\r?\n|$)/;

export function wishIn(body: string): WishIn | undefined {
  const [, verb, of] = line.exec(body) ?? [];
  return verb === undefined || of === undefined ? undefined : { verb: verb as WishIn['verb'], of };
}
