import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainMap } from '../../../shared/errors/quoted.ts';

/** A provider that a starter plan has lines for. */
export type Known = 'neon' | 'vercel' | 'clerk';

/** What the files of a repository say about it. Values of variables are in none of it. */
export interface Detected {
  readonly found: readonly { readonly id: Known; readonly name: string; readonly evidence: readonly string[] }[];
  /** Providers without an op of their own. */
  readonly unsupported: readonly { readonly name: string; readonly evidence: readonly string[]; readonly pointer: string }[];
  /** Ids that the provider's own tool has left in its file. */
  readonly ids: { readonly vercelProject?: string; readonly vercelTeam?: string; readonly neonProject?: string };
  /** Names of an example file, which is written to be shown. */
  readonly variables: readonly string[];
}

/** How a provider shows: by packages, files, and variables of its own. */
interface Sign {
  readonly name: string;
  readonly packages: RegExp;
  readonly files: readonly string[];
  readonly variables: readonly string[];
}

const known: Readonly<Record<Known, Sign>> = {
  neon: {
    name: 'Neon',
    packages: /^@neondatabase\/|^neonctl$|^@netlify\/neon$/,
    files: ['.neon'],
    variables: ['NEON_API_KEY', 'NEON_PROJECT_ID', 'NEON_DATABASE_URL'],
  },
  vercel: {
    name: 'Vercel',
    packages: /^@vercel\/|^vercel$/,
    files: ['vercel.json', 'vercel.ts', '.vercelignore', '.vercel/project.json'],
    variables: ['VERCEL_TOKEN', 'VERCEL_PROJECT_ID', 'VERCEL_ORG_ID', 'VERCEL_OIDC_TOKEN'],
  },
  clerk: { name: 'Clerk', packages: /^@clerk\//, files: ['.clerk'], variables: ['CLERK_SECRET_KEY', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'] },
};

const others: readonly Sign[] = [
  { name: 'Netlify', packages: /^@netlify\/(?!neon$)|^netlify-cli$/, files: ['netlify.toml', '.netlify/state.json'], variables: ['NETLIFY_AUTH_TOKEN'] },
  {
    name: 'Cloudflare',
    packages: /^wrangler$|^@cloudflare\//,
    files: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    variables: ['CLOUDFLARE_API_TOKEN'],
  },
  { name: 'Supabase', packages: /^@supabase\/|^supabase$/, files: ['supabase/config.toml'], variables: ['SUPABASE_ACCESS_TOKEN', 'SUPABASE_SERVICE_ROLE_KEY'] },
  { name: 'PlanetScale', packages: /^@planetscale\//, files: [], variables: ['PLANETSCALE_SERVICE_TOKEN'] },
  { name: 'LaunchDarkly', packages: /launchdarkly/, files: [], variables: ['LAUNCHDARKLY_SDK_KEY', 'LAUNCHDARKLY_ACCESS_TOKEN'] },
];

const pointer = 'There is no op of this provider: `http.resource` and `http.list_item` reach any JSON API, an adapter of your own does the rest.';

/** Bytes of a file that are looked at: what makes a repository of this kind stands near the top of small files. */
const longest = 200_000;

/** Looks at files below `folder` alone, and at no value in any of them that could be a secret. */
export function detect(folder: string): Detected {
  const read = (path: string): string | undefined => textOf(join(folder, path));
  const packages = packagesIn(read('package.json'));
  const dotenv = namesOf(folder).filter((name) => /^\.env(\.[\w.-]+)?$/.test(name));
  const evidence = ({ packages: pattern, files, variables }: Sign): string[] => [
    ...packages.filter((name) => pattern.test(name)).map((name) => `package.json: ${name}`),
    ...files.filter((path) => read(path) !== undefined),
    ...dotenv.flatMap((path) => variables.filter((name) => holds(read(path), name)).map((name) => `${path}: ${name}`)),
  ];
  const found = (Object.entries(known) as [Known, Sign][]).map(([id, sign]) => ({ id, name: sign.name, evidence: evidence(sign) }));
  const unsupported = others.map((sign) => ({ name: sign.name, evidence: evidence(sign), pointer }));
  const vercel = jsonOf(read('.vercel/project.json'));
  const neon = jsonOf(read('.neon'));
  return {
    found: found.filter((one) => one.evidence.length > 0),
    unsupported: unsupported.filter((one) => one.evidence.length > 0),
    ids: { ...idIn(vercel, 'projectId', 'vercelProject'), ...idIn(vercel, 'orgId', 'vercelTeam'), ...idIn(neon, 'projectId', 'neonProject') },
    variables: dotenv.filter((path) => /\.(example|sample|template)$/.test(path)).flatMap((path) => exampleNames(read(path))),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path)
      .subarray(0, longest)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function jsonOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isPlainMap(value) ? value : {};
  } catch {
    return {};
  }
}

function packagesIn(text: string | undefined): string[] {
  const { dependencies, devDependencies } = jsonOf(text);
  return [dependencies, devDependencies].flatMap((names) => (isPlainMap(names) ? Object.keys(names) : [])).sort();
}

/** An id as the providers make them; anything else is left for a person to fill in. */
function idIn<Name extends string>(json: Readonly<Record<string, unknown>>, field: string, name: Name): { readonly [each in Name]?: string } {
  const value = json[field];
  return typeof value === 'string' && /^[\w-]{3,80}$/.test(value) ? ({ [name]: value } as { [each in Name]: string }) : {};
}

/** Whether a variable is set in a `.env` file. Of what else stands there, nothing leaves: a line of a key may look like a name. */
const holds = (text: string | undefined, name: string): boolean => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, 'm').test(text ?? '');

/** The names in an example file; a value over several lines is passed over. */
function exampleNames(text = ''): string[] {
  const names = text.replace(/=\s*(["'`])[\s\S]*?\1/g, '=').matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]{1,60})[ \t]*=(?!=)/gm);
  return [...new Set([...names].map(([, name = '']) => name))];
}
