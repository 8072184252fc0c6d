/** One thing that was looked at. `remedy` is there when it is not as it should be, be it missing (not `ok`) or only worth knowing. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What is there, or what is missing. Never a value of a secret. */
  readonly says: string;
  readonly remedy?: string;
}

export const fine = (check: string, says: string): Finding => ({ check, ok: true, says });
/** Works, and somebody should know something about it. */
export const noted = (check: string, says: string, remedy: string): Finding => ({ check, ok: true, says, remedy });
export const wrong = (check: string, says: string, remedy: string): Finding => ({ check, ok: false, says, remedy });
