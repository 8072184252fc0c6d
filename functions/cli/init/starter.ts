import type { Detected, Known } from './detect.ts';
import { scalarText } from './line-text.ts';

/** A plan to start from, and what a person has to fill in before it reaches a provider. */
export interface Starter {
  readonly text: string;
  readonly todo: readonly { readonly path: string; readonly placeholder: string; readonly hint: string }[];
  /** Nothing was found: the lines are a guess. */
  readonly assumed: boolean;
}

/** Shown where nobody can know the id; a provider refuses it. */
const placeholders = { neon: 'fill-in-the-neon-project-id', vercel: 'fill-in-the-vercel-project' } as const;

/** So many variables of the example file are proposed. */
const mostProposed = 20;

/** Variables that Lockkeeper itself, or the provider's own tool, reads or sets: no line gives them to the application. */
const notTheApplications = /^(NEON_|VERCEL_|LOCKKEEPER_|NODE_ENV$|PORT$|CI$)/;

/** Writes the plan for what was found. It is valid as it stands: whatever has to be filled in is a text like any other. */
export function starterPlan({ found, ids, variables }: Pick<Detected, 'found' | 'ids' | 'variables'>): Starter {
  const assumed = found.length === 0;
  const has = (id: Known): boolean => (assumed ? id !== 'clerk' : found.some((one) => one.id === id));
  const neon = has('neon');
  // Clerk's line needs the address of a deployment, which Vercel's gives.
  const vercel = has('vercel') || has('clerk');
  const why = found.map(({ name, evidence }) => `${name} (${evidence[0] ?? ''})`).join(', ');
  const text = [
    `# What a release needs at your providers, one line each. Check it with \`lockkeeper validate\`, try it with \`lockkeeper apply --sim\`.`,
    assumed
      ? '# Made by `lockkeeper init`, which found no provider it knows here: Neon and Vercel are a guess.'
      : `# Made by \`lockkeeper init\`. It found ${why}.`,
    'version: 1',
    '',
    'providers:',
    ...(neon ? ['  neon:', `    project: ${scalarText(ids.neonProject ?? placeholders.neon)} # its id: Neon's console, Settings`] : []),
    ...(vercel ? ['  vercel:', `    project: ${scalarText(ids.vercelProject ?? placeholders.vercel)} # its id or its name`] : []),
    ...(vercel ? [ids.vercelTeam ? `    team: ${scalarText(ids.vercelTeam)}` : '    # team: its id or its slug; left out, the default team of the token'] : []),
    '',
    'changes:',
    ...(neon ? databaseLine : []),
    ...(vercel ? [...(neon ? [''] : []), ...variablesLine(neon, variables)] : []),
    ...(has('clerk') ? ['', ...redirectLine] : []),
    '',
  ].join('\n');
  const todo = [
    ...(neon && ids.neonProject === undefined
      ? [{ path: 'providers.neon.project', placeholder: placeholders.neon, hint: "The project's id: Neon's console, Settings." }]
      : []),
    ...(vercel && ids.vercelProject === undefined
      ? [{ path: 'providers.vercel.project', placeholder: placeholders.vercel, hint: "The project's name or id; `vercel link` writes it where init finds it." }]
      : []),
  ];
  return { text, todo, assumed };
}

const databaseLine = [
  '  # A database branch for each pull request, removed when it closes; one for each branch where you try it at a terminal.',
  '  - id: db',
  '    adapter: neon',
  '    op: branch',
  '    environments: [preview]',
];

function variablesLine(neon: boolean, variables: readonly string[]): string[] {
  const proposed = variables.filter((name) => !notTheApplications.test(name) && !(neon && name === 'DATABASE_URL')).slice(0, mostProposed);
  return [
    '  # Variables of the preview of each branch. Secrets are named here, and read when a run is prepared.',
    '  - id: env',
    '    adapter: vercel',
    '    op: env',
    '    environments: [preview]',
    ...(neon ? ['    values:', '      DATABASE_URL: { from: db.connection_string }'] : ['    # values:']),
    ...proposed.map((name) => `      # ${name}: { secret: env://${name} }`),
    ...(neon || proposed.length > 0 ? [] : ['    #   NAME: { secret: env://NAME }']),
  ];
}

const redirectLine = [
  '  # Signing in works at the address that Vercel gives the branch: the same one after every commit.',
  '  - id: sign-in',
  '    adapter: clerk',
  '    op: redirect_allow',
  '    environments: [preview]',
  '    url: "${lines.env.branch_url}/sso-callback"',
];
