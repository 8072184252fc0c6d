import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

export type VaultKind = 'secret' | 'parameter';

/** Values of secrets and parameters, by name. */
export interface Vault {
  read(kind: VaultKind, name: string): string | undefined;
  write(kind: VaultKind, name: string, value: string): void;
}

const contents = z.object({ secret: z.record(z.string(), z.string()), parameter: z.record(z.string(), z.string()) });

/** A vault in memory, or in a file that only its owner can read. The file is replaced as a whole, so a crash leaves the old one. */
export function openVault(file?: string): Vault {
  const values = file !== undefined && existsSync(file) ? contents.parse(JSON.parse(readFileSync(file, 'utf8'))) : { secret: {}, parameter: {} };
  return {
    read: (kind, name) => (Object.hasOwn(values[kind], name) ? values[kind][name] : undefined),
    write(kind, name, value) {
      if (values[kind][name] === value) return;
      values[kind][name] = value;
      if (file !== undefined) replace(file, JSON.stringify(values));
    },
  };
}

function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  chmodSync(fresh, 0o600); // the mode above counts only for a file that was not there
  renameSync(fresh, file);
}
