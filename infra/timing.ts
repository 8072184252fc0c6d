/**
 * The times one stack runs with. Their ratios keep the protocol safe (P1, P3), so they are chosen together and checked
 * together: a template with a wrong one cannot be synthesized.
 */
export interface Timing {
  /** Time-out of the line worker, whole seconds: the longest one attempt at a line can take. */
  readonly lineTimeoutSeconds: number;
  /** How long a lease is granted for, seconds. */
  readonly leaseTtlSeconds: number;
  /** How far a function's clock may be off, seconds. 0 where everything shares one clock. */
  readonly skewSeconds: number;
  /** Time-out of a control step, whole seconds; the line worker's where absent. */
  readonly controlTimeoutSeconds?: number;
}

/** A deployed stack. */
export const awsTiming: Timing = { lineTimeoutSeconds: 100, leaseTtlSeconds: 900, skewSeconds: 30 };
/** The embedded stack behind the command line: one clock, and a person who waits. */
export const localTiming: Timing = { lineTimeoutSeconds: 30, leaseTtlSeconds: 300, skewSeconds: 0 };
/** Story and tests: the same ratios, short enough to watch a crash being picked up. */
export const shortTiming: Timing = { lineTimeoutSeconds: 2, leaseTtlSeconds: 18, skewSeconds: 0 };

/** Lambda's own rule for queues it reads: a message stays hidden for six time-outs of the function that works on it. */
const VISIBILITY_FACTOR = 6;
/** A lease outlives this many attempts at a line, so that a redelivery after a crash still falls under it. */
const TTL_FACTOR = 9;
/** What a claim adds to the function's time-out (P1.1). */
const CLAIM_MARGIN_SECONDS = 5;
const LAMBDA_MAX_SECONDS = 900;

/** Seconds a message of a queue stays hidden while a function with this time-out works on it. */
export const visibilityOf = (functionTimeoutSeconds: number): number => VISIBILITY_FACTOR * functionTimeoutSeconds;

export const controlTimeoutOf = (timing: Timing): number => timing.controlTimeoutSeconds ?? timing.lineTimeoutSeconds;

/**
 * Refuses times under which the protocol does not hold.
 *
 * @throws Error that names every broken ratio, with the figures.
 */
export function checkTiming(timing: Timing): void {
  const { lineTimeoutSeconds: line, leaseTtlSeconds: ttl, skewSeconds: skew } = timing;
  const control = controlTimeoutOf(timing);
  const broken: string[] = [];
  for (const [name, seconds] of [
    ['line', line],
    ['control', control],
  ] as const) {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > LAMBDA_MAX_SECONDS)
      broken.push(`the ${name} time-out is ${seconds} s; Lambda takes whole seconds from 1 to ${LAMBDA_MAX_SECONDS}`);
    const claim = seconds + CLAIM_MARGIN_SECONDS + 2 * skew;
    if (visibilityOf(seconds) < claim)
      broken.push(`a ${name} message is hidden for ${visibilityOf(seconds)} s but its claim stands for ${claim} s: every redelivery would meet a live claim`);
  }
  if (!(skew >= 0)) broken.push(`the clock skew is ${skew} s`);
  if (ttl < TTL_FACTOR * line) broken.push(`the lease TTL of ${ttl} s is below ${TTL_FACTOR} × the line time-out of ${line} s = ${TTL_FACTOR * line} s (P3)`);
  if (ttl < 3 * control + 2 * skew)
    broken.push(`the lease TTL of ${ttl} s is below 3 × the control time-out of ${control} s + 2 × the skew of ${skew} s: a step could outlive its lease`);
  if (broken.length > 0) throw new Error(`The stack's times do not fit together:\n${broken.map((line) => `- ${line}`).join('\n')}`);
}
