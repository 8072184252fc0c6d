/**
 * The job cannot go on now: its message is handed back and becomes visible again after `seconds`. Never acknowledged (P1.1).
 * `claimed`: somebody else is at it, and may be done sooner; `later`: nothing can come of it before.
 */
export class Again extends Error {
  override readonly name = 'Again';
  readonly seconds: number;
  readonly because: 'claimed' | 'later';

  constructor(why: string, seconds: number, because: 'claimed' | 'later' = 'later') {
    super(why);
    this.seconds = Math.max(0, Math.ceil(seconds));
    this.because = because;
  }
}
