/** A number and a unit: minutes, hours or days. */
export const durationPattern = /^[1-9]\d{0,5}[mhd]$/;

const unit = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration that `durationPattern` takes, in ms. */
export const durationMs = (written: string): number => Number(written.slice(0, -1)) * unit[written.at(-1) as keyof typeof unit];
