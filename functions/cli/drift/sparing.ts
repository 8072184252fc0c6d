import { setFlagsFromString } from 'node:v8';

/** From so many bytes on a large input is read with little memory rather than quickly. */
const large = 8 * 1024 * 1024;

/**
 * Has this process keep little memory that nobody uses: an input of 50 MB is read within 512 MB, the program itself included. Said before the values are
 * made: by default new values lie in up to three spaces of 32 MB each before anything is let go.
 */
export function spareMemory(bytes: number): void {
  if (bytes < large) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
