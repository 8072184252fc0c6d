/** The job cannot go on now: its message is handed back and becomes visible again after `seconds`. Never acknowledged (P1.1). */
export class Again extends Error {
  override readonly name = 'Again';
  readonly seconds: number;

  constructor(why: string, seconds: number) {
    super(why);
    this.seconds = Math.max(0, Math.ceil(seconds));
  }
}
