import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, BootstraplessSynthesizer, type IReusableStackSynthesizer } from 'aws-cdk-lib';
import { LockkeeperStack, type LockkeeperStackProps } from './lockkeeper-stack.ts';

/** One resource of a CloudFormation template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** A CloudFormation template, as far as it is read here. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Type: string; readonly Default?: unknown; readonly AllowedPattern?: string }>>;
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/**
 * The template as data, made in this process in under a second: no account, no files, and functions without code, which
 * name their entry point in their metadata (`lockkeeper:entry`).
 *
 * @throws Error when the times do not fit together.
 */
export function synthesizeTemplate(props: Omit<LockkeeperStackProps, 'code'>): Template {
  const outdir = mkdtempSync(join(tmpdir(), `lockkeeper-template-${process.pid}-`));
  try {
    const defaultStackSynthesizer = new BootstraplessSynthesizer() as IReusableStackSynthesizer;
    const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false, defaultStackSynthesizer });
    const stack = new LockkeeperStack(app, 'Lockkeeper', { ...props, code: 'none' });
    return app.synth().getStackArtifact(stack.artifactId).template as Template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
