import { fingerprintKey, sealingKey } from '../../shared/secrets/keys.ts';

let nonces = 0;
/** The two keys of every stack in memory, with nonces that a run of the tests gives in order. */
export const stackKeys = {
  fingerprint: fingerprintKey('a fingerprint key long enough to be one'),
  sealing: sealingKey('a sealing key that is long enough to be one', () => Buffer.from(String(++nonces).padStart(12, '0'))),
};
