import { fingerprintKey, sealingKey } from '../../shared/secrets/keys.ts';

/** The two keys of every stack in memory, with nonces that are counted from here on: one story gives the same ones each time. */
export function countedKeys() {
  let nonces = 0;
  return {
    fingerprint: fingerprintKey('a fingerprint key long enough to be one'),
    sealing: sealingKey('a sealing key that is long enough to be one', () => Buffer.from(String(++nonces).padStart(12, '0'))),
  };
}

/** The same keys, with nonces that a run of the tests gives in order. */
export const stackKeys = countedKeys();
