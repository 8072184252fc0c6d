/** The CDK's own command line, under the endpoint, as an adopter would use it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../infra/template.ts';
import { account, type Endpoint, region, variablesOf } from './endpoint.ts';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'node_modules', '.bin');
export const stackName = 'Lockkeeper';

/** What was deployed. */
export interface Deployed {
  readonly outputs: Readonly<Record<string, string>>;
  readonly template: Template;
}

export interface CdkOptions {
  readonly endpoint: Endpoint;
  /** Where the assembly and the outputs are written. */
  readonly folder: string;
  /** Everything the CDK prints. */
  readonly note: (text: string) => void;
}

export const bootstrap = (options: CdkOptions): Promise<void> => cdk(options, ['bootstrap', `aws://${account}/${region}`]);

/** Builds, synthesizes and deploys the stack as `cdk.json` says, for one repository. */
export async function deploy(options: CdkOptions, repositories: string): Promise<Deployed> {
  const outputs = join(options.folder, 'outputs.json');
  await cdk(options, ['deploy', '--require-approval', 'never', '--outputs-file', outputs, '--parameters', `Repositories=${repositories}`]);
  const byStack = JSON.parse(readFileSync(outputs, 'utf8')) as Record<string, Record<string, string>>;
  const template = JSON.parse(readFileSync(join(options.folder, 'cdk.out', `${stackName}.template.json`), 'utf8')) as Template;
  return { outputs: byStack[stackName] ?? {}, template };
}

export const destroy = (options: CdkOptions): Promise<void> => cdk(options, ['destroy', '--force']);

/** @throws Error with the last lines the CDK printed, when it does not end with 0. */
function cdk({ endpoint, folder, note }: CdkOptions, args: readonly string[]): Promise<void> {
  const flags = ['--output', join(folder, 'cdk.out'), '--no-notices', '--no-color', '--progress', 'events'];
  const child = spawn(process.execPath, [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args, ...flags], {
    cwd: root,
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: process.env['HOME'], CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true', ...variablesOf(endpoint) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.push(text);
      note(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`cdk ${args[0]} ended with ${code}:\n${printed.join('').split('\n').slice(-25).join('\n')}`));
    });
  });
}
