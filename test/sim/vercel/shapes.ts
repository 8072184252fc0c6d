import type { Json } from '../wire/answer.ts';
import type { VercelDeployment, VercelProject, VercelVariable } from './state.ts';

const user = { uid: 'w3LbQ9xZpT7vKcY2sHdN4mRf', email: 'kim@acme.example', username: 'kim', githubLogin: 'kim' };
const resources = { elasticConcurrencyEnabled: false, fluid: true, functionDefaultRegions: ['iad1'], buildMachineType: 'standard' };

export function projectShape(project: VercelProject): Json {
  const { link } = project;
  return {
    accountId: project.accountId,
    alias: [],
    autoExposeSystemEnvs: true,
    createdAt: project.createdAt,
    defaultResourceConfig: resources,
    deploymentExpiration: {
      expirationDays: 36_500,
      expirationDaysProduction: 36_500,
      expirationDaysCanceled: 36_500,
      expirationDaysErrored: 36_500,
      deploymentsToKeep: 10,
    },
    directoryListing: false,
    framework: 'nextjs',
    id: project.id,
    ...(link === undefined
      ? {}
      : {
          link: {
            type: 'github',
            org: link.org,
            repo: link.repo,
            repoId: link.repoId,
            repoOwnerId: 9_919_000,
            createdAt: project.createdAt,
            updatedAt: project.createdAt,
            deployHooks: [],
            gitCredentialId: 'cred_3f1d8a90c2b74e5d',
            productionBranch: link.productionBranch,
            sourceless: true,
          },
        }),
    name: project.name,
    nodeVersion: '24.x',
    resourceConfig: resources,
    updatedAt: project.createdAt,
  };
}

/** How much of a variable's value an answer shows. */
export type Shown = 'plain' | 'sealed';

export function variableShape(variable: VercelVariable, shown: Shown): Json {
  const readable = variable.type === 'plain' || variable.type === 'system' || (variable.type === 'encrypted' && shown === 'plain');
  return {
    id: variable.id,
    key: variable.key,
    value: readable ? variable.value : variable.type === 'sensitive' ? '' : cipherText(variable),
    type: variable.type,
    target: variable.target,
    ...(variable.gitBranch === undefined ? {} : { gitBranch: variable.gitBranch }),
    ...(variable.comment === undefined ? {} : { comment: variable.comment }),
    configurationId: null,
    createdAt: variable.createdAt,
    updatedAt: variable.updatedAt,
    createdBy: user.uid,
    updatedBy: null,
    customEnvironmentIds: [],
    decrypted: readable,
  };
}

/** Looks like Vercel's ciphertext and says nothing about the value. */
function cipherText(variable: VercelVariable): string {
  return Buffer.from(JSON.stringify({ v: 'v2', epk: variable.id, iv: variable.updatedAt, c: variable.id.split('').toReversed().join('') })).toString('base64');
}

function meta(project: VercelProject, deployment: VercelDeployment): Json {
  return {
    githubCommitSha: deployment.sha,
    githubCommitRef: deployment.branch,
    githubCommitMessage: 'Change the storefront',
    githubCommitAuthorName: 'kim',
    githubDeployment: '1',
    branchAlias: branchAlias(project, deployment),
    ...(project.link === undefined
      ? {}
      : {
          githubOrg: project.link.org,
          githubRepo: project.link.repo,
          githubRepoId: String(project.link.repoId),
          githubCommitOrg: project.link.org,
          githubCommitRepo: project.link.repo,
          githubCommitRepoId: String(project.link.repoId),
        }),
  };
}

/** One host name for every deployment of a branch (V15). */
function branchAlias(project: VercelProject, { branch }: VercelDeployment): string {
  return `${project.name}-git-${branch.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-acme.vercel.app`;
}

const builtAt = (deployment: VercelDeployment): Json => (deployment.state === 'READY' ? { ready: deployment.finishAt ?? deployment.createdAt } : {});

export function listedDeployment(project: VercelProject, deployment: VercelDeployment): Json {
  const { state } = deployment;
  return {
    uid: deployment.id,
    name: project.name,
    projectId: project.id,
    url: deployment.url,
    created: deployment.createdAt,
    createdAt: deployment.createdAt,
    buildingAt: deployment.createdAt,
    ...builtAt(deployment),
    source: deployment.source,
    state,
    readyState: state,
    ...(state === 'READY' ? { readySubstate: deployment.target === 'production' ? 'PROMOTED' : 'STAGED' } : {}),
    type: 'LAMBDAS',
    creator: user,
    inspectorUrl: `https://vercel.com/acme/${project.name}/${deployment.id.slice(4)}`,
    meta: meta(project, deployment),
    target: deployment.target,
    aliasAssigned: state === 'READY' ? deployment.createdAt : null,
    aliasError: null,
    ...(deployment.errorMessage === undefined ? {} : { errorCode: 'BUILD_FAILED', errorMessage: deployment.errorMessage }),
    isRollbackCandidate: state === 'READY' && deployment.target === 'production',
  };
}

export function deploymentShape(project: VercelProject, deployment: VercelDeployment): Json {
  const { state } = deployment;
  return {
    id: deployment.id,
    name: project.name,
    projectId: project.id,
    ownerId: project.accountId,
    url: deployment.url,
    alias: state === 'READY' ? [branchAlias(project, deployment)] : [],
    aliasAssigned: state === 'READY',
    aliasError: null,
    bootedAt: deployment.createdAt,
    build: { env: [] },
    buildSkipped: false,
    buildingAt: deployment.createdAt,
    createdAt: deployment.createdAt,
    createdIn: 'iad1',
    creator: { uid: user.uid, username: user.username },
    env: [],
    ...(deployment.errorMessage === undefined ? {} : { errorCode: 'BUILD_FAILED', errorMessage: deployment.errorMessage }),
    ...(project.link === undefined
      ? {}
      : { gitSource: { type: 'github', repoId: project.link.repoId, ref: deployment.branch, sha: deployment.sha, prId: null } }),
    inspectorUrl: `https://vercel.com/acme/${project.name}/${deployment.id.slice(4)}`,
    isInConcurrentBuildsQueue: false,
    isInSystemBuildsQueue: false,
    meta: meta(project, deployment),
    plan: 'pro',
    public: false,
    projectSettings: { framework: 'nextjs' },
    ...builtAt(deployment),
    readyState: state,
    regions: ['iad1'],
    routes: null,
    source: deployment.source,
    status: state,
    target: deployment.target,
    type: 'LAMBDAS',
    version: 2,
  };
}
