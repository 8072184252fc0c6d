import pc from 'picocolors';
import type { Screen } from './teller.ts';

const width = 30;
const redrawMs = 100;
const clearLine = '\r\x1b[2K';

/** A bar that fills over the expected time and goes away when the wait is over; one plain line where nobody watches. */
export async function progressBar<T>({ print, live, colour }: Screen, what: string, expectedMs: number, coming: Promise<T>): Promise<T> {
  const expected = Math.max(1, expectedMs);
  if (!live) {
    print(`      waiting ${what} (about ${Math.ceil(expected / 1000)} s)\n`);
    return coming;
  }
  const paint = pc.createColors(colour);
  const started = performance.now();
  const draw = () => {
    const gone = performance.now() - started;
    const full = Math.min(width, Math.round((gone / expected) * width));
    const left = Math.max(0, Math.ceil((expected - gone) / 1000));
    print(`${clearLine}      ${paint.cyan('█'.repeat(full))}${paint.dim('░'.repeat(width - full))} ${String(left).padStart(2)} s ${what}`);
  };
  draw();
  const timer = setInterval(draw, redrawMs);
  try {
    return await coming;
  } finally {
    clearInterval(timer);
    print(clearLine);
  }
}
