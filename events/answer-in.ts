/** What a comment answers a question with, on its first line. Nothing else of its text is kept. */
export interface AnswerIn {
  readonly verdict: 'approve' | 'reject';
  /** What is written where the digest belongs; `(none)` where nothing is. */
  readonly digest: string;
}

const line = /^[ \t]*\/lockkeeper[ \t]+(approve|reject)(?:[ \t]+(\S{1,128}))?[ \t]*(?:\r?\n|$)/;

export function answerIn(body: string): AnswerIn | undefined {
  const [, verdict, digest = '(none)'] = line.exec(body) ?? [];
  return verdict === undefined ? undefined : { verdict: verdict as AnswerIn['verdict'], digest };
}
