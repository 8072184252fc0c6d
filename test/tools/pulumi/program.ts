import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type Property, secret } from './property.ts';

/** A resource as the program asks for it. */
export interface Wanted {
  readonly name: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, Property>>;
  readonly retains: boolean;
  readonly deletesFirst: boolean;
  readonly component: boolean;
}

export interface Project {
  readonly name: string;
  readonly resources: readonly Wanted[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, Property>>;
}

interface Written {
  readonly name: string;
  readonly resources?: Readonly<Record<string, { type: string; properties?: Record<string, unknown>; options?: Record<string, boolean> }>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** `acme/shop/dev` has the settings file of `dev`. */
const settingsFile = (folder: string, stack: string): string => join(folder, `Pulumi.${stack.split('/').at(-1)}.yaml`);

/** The project in a folder, in the manner of Pulumi's own YAML: `${config.<name>}`, `${<resource>.<property>}` and `fn::secret`. */
export function projectIn(folder: string, stack: string): Project | undefined {
  const file = join(folder, 'Pulumi.yaml');
  if (!existsSync(file)) return undefined;
  const written = parse(readFileSync(file, 'utf8')) as Written;
  const config = configIn(folder, stack, written.name);
  const resources = Object.entries(written.resources ?? {}).map(
    ([name, { type, properties = {}, options = {} }]): Wanted => ({
      name,
      type,
      inputs: filled(properties, config) as Record<string, Property>,
      retains: options['retainOnDelete'] === true,
      deletesFirst: options['deleteBeforeReplace'] === true,
      component: options['component'] === true,
    }),
  );
  return { name: written.name, resources, outputs: filled(written.outputs ?? {}, config) as Record<string, unknown>, config };
}

function configIn(folder: string, stack: string, project: string): Record<string, Property> {
  const file = settingsFile(folder, stack);
  const written = existsSync(file) ? ((parse(readFileSync(file, 'utf8')) ?? {}) as { config?: Record<string, unknown> }) : {};
  return Object.fromEntries(
    Object.entries(written.config ?? {}).map(([name, value]) => {
      const encrypted = typeof value === 'object' && value !== null ? (value as { secure: string }).secure : undefined;
      return [name.replace(`${project}:`, ''), encrypted === undefined ? (value as Property) : secret(Buffer.from(encrypted, 'hex').toString('utf8'))];
    }),
  );
}

export function setConfig(folder: string, stack: string, project: string, name: string, value: string, isSecret: boolean): void {
  const file = settingsFile(folder, stack);
  const written = existsSync(file) ? ((parse(readFileSync(file, 'utf8')) ?? {}) as { config?: Record<string, unknown> }) : {};
  const key = name.includes(':') ? name : `${project}:${name}`;
  const config = { ...written.config, [key]: isSecret ? { secure: Buffer.from(value).toString('hex') } : value };
  writeFileSync(file, stringify({ ...written, config }));
}

function filled(value: unknown, config: Readonly<Record<string, Property>>): unknown {
  if (typeof value === 'string') {
    const name = /^\$\{config\.([^}]+)\}$/.exec(value)?.[1];
    return name === undefined ? value : (config[name] ?? null);
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, config));
  if (typeof value !== 'object' || value === null) return value;
  if ('fn::secret' in value) return secret(filled(value['fn::secret'], config) as Property);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, filled(held, config)]));
}
