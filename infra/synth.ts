import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { App } from 'aws-cdk-lib';
import { buildAll, fail, sizeTable } from './build.ts';
import { deployableStack } from './lockkeeper-stack.ts';
import type { Template } from './template.ts';

const root = join(import.meta.dirname, '..');

/** Builds, then synthesizes what would be deployed, with CloudFormation's own checks on. Needs no account and no Docker. */
async function synth(): Promise<void> {
  console.log(sizeTable(await buildAll({ strict: true })));
  const app = new App({ outdir: join(root, 'cdk.out'), analyticsReporting: false, builtinCloudFormationValidation: true });
  const stack = deployableStack(app);
  const path = app.synth().getStackArtifact(stack.artifactId).templateFullPath;
  const { Resources } = JSON.parse(readFileSync(path, 'utf8')) as Template;
  console.log(`${relative(root, path)}: ${Object.keys(Resources).length} resources`);
}

await synth().catch(fail);
