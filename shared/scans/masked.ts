import { withoutSecretNames } from '../engine/effects.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { ScannedLine, ScannedResource, StackLook } from './scanned-line.ts';

type Masking = { readonly redactor: Redactor };

/**
 * What a scan saw, as it may be stored. Effects, addresses and digests are compared letter by letter and stay as they are, so a resource whose
 * very name carries a secret is left out (I1).
 */
export function maskedScan(world: Masking, { looked, resources, deeds, waits, stack }: ScannedLine): ScannedLine {
  return {
    looked,
    ...(waits === undefined ? {} : { waits }),
    resources: resources.filter((one) => isNameable(world, one)).map((one) => maskedResource(world, one)),
    ...(deeds ? { deeds: withoutSecretNames(world, deeds) } : {}),
    ...(stack ? { stack: maskedLook(world, stack) } : {}),
  };
}

function maskedLook({ redactor }: Masking, { records, head, ...look }: StackLook): StackLook {
  const nameable = records.filter(({ address }) => !redactor.contains(address));
  return { ...look, records: nameable.map(({ status, ...told }) => ({ status, ...redactor.maskJson(told) })), ...(head ? { head } : {}) };
}

const isNameable = ({ redactor }: Masking, { key, address, id }: ScannedResource): boolean =>
  !redactor.contains(key) && !redactor.contains(String((JSON.parse(address) as readonly unknown[])[2])) && (id === undefined || !redactor.contains(id));

function maskedResource({ redactor }: Masking, { key, address, id, effect, drifted, fingerprint, ...shown }: ScannedResource): ScannedResource {
  return {
    key,
    address,
    ...redactor.maskJson(shown),
    ...(id === undefined ? {} : { id }),
    ...(drifted ? { drifted } : {}),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(effect ? { effect } : {}),
  };
}
