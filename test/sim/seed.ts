import { emptyRest } from './rest/state.ts';
import { demoSlack } from './slack/state.ts';
import type { World } from './world/world.ts';

/** The names and numbers that a seeded cloud has, for plans and tests to refer to. */
export const demo = {
  neonProject: 'calm-river-12345678',
  neonRootBranch: 'br-broad-sun-a1b2c3d4',
  neonDatabase: 'neondb',
  neonRole: 'neondb_owner',
  vercelProject: 'prj_Qm4tT8cVb2XyLw6RkZs1HdNf3PaE',
  vercelProjectName: 'storefront',
  vercelTeam: 'team_7GhJk2LmNp4QrSt6UvWx8YzA',
  clerkInstance: 'ins_2mNpQrStUvWxYzAbCdEfGhIjKlM',
  /** On Clerk's list before anybody ran anything. */
  clerkRedirect: 'https://storefront.acme.example/sso-callback',
  owner: 'acme',
  repository: 'storefront',
  repositoryId: 710_382_145,
  installationId: 51_234_567,
  /** The only commit of `main`. */
  mainCommit: '4b7c1e0a9d2f6853b1c0e7a94d5f28360c9b1ae7',
} as const;

const born = Date.UTC(2026, 0, 5, 9);

/** A cloud of one repository, one Neon project, one linked Vercel project and one Clerk instance. */
export function demoSeed(): World {
  return {
    format: 1,
    source: { salt: 'demo', counter: 0, moment: 0 },
    neon: {
      settings: { pageSize: 10_000, operationMs: 0, unknownProjects: 'refuse' },
      projects: [
        {
          id: demo.neonProject,
          name: 'storefront',
          region: 'aws-eu-central-1',
          createdAt: born,
          operations: [],
          branches: [
            {
              id: demo.neonRootBranch,
              name: 'main',
              parentId: undefined,
              isDefault: true,
              protected: false,
              createdAt: born,
              updatedAt: born,
              readyAt: born,
              annotation: {},
              endpoints: [{ id: 'ep-still-lake-e5f6g7h8', type: 'read_write', createdAt: born }],
              roles: [{ name: demo.neonRole, password: 'npg_m41nBr4nchP4ssw0', createdAt: born }],
              databases: [{ id: 900_000, name: demo.neonDatabase, owner: demo.neonRole, createdAt: born }],
            },
          ],
        },
      ],
    },
    vercel: {
      settings: { pageSize: 100, decryptLists: true, refuseKeys: [], builds: 'auto', outcome: 'wait', outcomeMs: 0, unknownProjects: 'refuse' },
      projects: [
        {
          id: demo.vercelProject,
          name: demo.vercelProjectName,
          accountId: demo.vercelTeam,
          createdAt: born,
          link: { org: demo.owner, repo: demo.repository, repoId: demo.repositoryId, productionBranch: 'main' },
          variables: [
            {
              id: 'kQ8sLw2mZx4Tn6Vb',
              key: 'NEXT_PUBLIC_SITE_NAME',
              value: 'Acme Storefront',
              type: 'plain',
              target: ['production', 'preview', 'development'],
              gitBranch: undefined,
              comment: undefined,
              createdAt: born,
              updatedAt: born,
            },
          ],
          deployments: [],
        },
      ],
    },
    clerk: {
      settings: { pageSize: 500, envelope: false },
      instance: { id: demo.clerkInstance, environment: 'development' },
      redirects: [{ id: 'ru_2aBcDeFgHiJkLmNoPqRsTuVwXyZ', url: demo.clerkRedirect, createdAt: born, updatedAt: born }],
    },
    github: {
      settings: { pageSize: 100 },
      app: { id: 1_204_512, slug: 'lockkeeper', installationId: demo.installationId },
      tokens: {},
      repositories: [
        {
          id: demo.repositoryId,
          owner: demo.owner,
          name: demo.repository,
          private: true,
          defaultBranch: 'main',
          createdAt: born,
          installed: true,
          branches: { main: demo.mainCommit },
          commits: {
            [demo.mainCommit]: { sha: demo.mainCommit, message: 'First commit', at: born, parents: [], files: { 'README.md': '# Storefront\n' } },
          },
          people: { kim: 'write', robin: 'maintain', alex: 'admin' },
          pulls: [],
          comments: [],
          checks: [],
        },
      ],
    },
    rest: emptyRest(),
    slack: demoSlack(),
  };
}
