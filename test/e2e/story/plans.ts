import { demo } from '../../sim/seed.ts';

/** The plan files of the story, as they lie in the repository. */

const top = `version: 1
providers:
  neon: { project: ${demo.neonProject} }
  vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} }
changes:
`;

const database = `  - id: database
    adapter: neon
    op: branch
`;

/** A database branch, variables that stand on it, a login redirect that waits for the deployment, and one that was there before. */
export const checkoutPlan = (mode: string): string => `${top}${database}  - id: variables
    adapter: vercel
    op: env
    values:
      DATABASE_URL: { from: database.connection_string }
      STRIPE_KEY: { secret: env://STRIPE_KEY }
      CHECKOUT_MODE: ${mode}
  - id: login
    adapter: clerk
    op: redirect_allow
    url: { from: variables.preview_url }
  - id: main_login
    adapter: clerk
    op: redirect_allow
    url: ${demo.clerkRedirect}
`;

/** Reaches for a variable of another branch, whose pull request owns it. */
export const reachingPlan = (branch: string): string => `${top}${database}  - id: theirs
    adapter: vercel
    op: env
    branch: ${branch}
    values: { CHECKOUT_MODE: faster }
    depends_on: [database]
`;

export const searchPlan = `${top}${database}  - id: variables
    adapter: vercel
    op: env
    values:
      DATABASE_URL: { from: database.connection_string }
      STRIPE_KEY: { secret: env://STRIPE_KEY }
`;

export const searchCallback = 'https://search.storefront.acme.example/sso-callback';

/** Two lines that start at once, so that two workers can die at once. */
export const callbackPlan = `${searchPlan}  - id: callback
    adapter: clerk
    op: redirect_allow
    url: ${searchCallback}
`;

export const shopCallback = 'https://shop.acme.example/sso-callback';

export const walletCallback = 'https://wallet.acme.example/sso-callback';

/** What production needs, and no preview: two variables, and a redirect after them. */
export const productionPlan = (mode: string): string => `version: 1
providers:
  vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} }
changes:
  - id: settings
    adapter: vercel
    op: env
    environments: [production]
    values:
      CHECKOUT_MODE: ${mode}
      STRIPE_KEY: { secret: env://STRIPE_KEY }
${redirect('callback', shopCallback)}`;

/** The same with a redirect more. */
export const walletPlan = (mode: string): string => productionPlan(mode) + redirect('wallet', walletCallback);

const redirect = (id: string, url: string): string => `  - id: ${id}
    adapter: clerk
    op: redirect_allow
    environments: [production]
    url: ${url}
    depends_on: [settings]
`;

/** Turns on what looks at production. */
export const driftPolicy = `version: 1
environments:
  production:
    drift: { enabled: true, schedule: 15m }
`;

/** A stack, and a variable of the site that its output goes into. */
export const stackPlan = (tool: string, size: number): string => `${walletPlan('express')}  - id: shop
    adapter: terraform
    op: root
    environments: [production]
    path: infra
    tool: ${tool}
    variables: { size: ${size} }
    outputs: [queue]
  - id: orders
    adapter: vercel
    op: env
    environments: [production]
    values: { ORDERS_QUEUE: { from: shop.queue } }
`;

/** Lets lines of production run infrastructure tools, beside what looks at it. */
export const stackPolicy = `${driftPolicy}    stacks: {}
`;
