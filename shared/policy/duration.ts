/** A number and a unit: minutes, hours or days. */
export const durationPattern = /^[1-9]\d{0,5}[mhd]$/;
/** A lease may be counted in seconds too: stacks that run with short times take shorter ones. */
export const leasePattern = /^[1-9]\d{0,5}[smhd]$/;

const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration that one of these patterns takes, in ms. */
export const durationMs = (written: string): number => Number(written.slice(0, -1)) * unit[written.at(-1) as keyof typeof unit];
