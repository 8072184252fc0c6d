import { readFileSync } from 'node:fs';
import type { SynthesizedTemplate } from '../../../infra/local/template/template.ts';

/** A resource as far as it is looked at or changed here. */
interface Resource {
  readonly Type?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

type Template = SynthesizedTemplate & { readonly Resources: Readonly<Record<string, Resource>> };

/** The stack this version runs: the build writes it beside the bundle, with the times of a person's machine. */
export const packagedTemplate = (): Template => JSON.parse(readFileSync(new URL('../template.json', import.meta.url), 'utf8')) as Template;

/** The template with so many lines worked on at a time. In AWS it takes two at least; the embedded stack takes one. */
export function withConcurrency(template: Template, lines: number): Template {
  const worker = Object.entries(template.Resources).find(([, { Metadata }]) => Metadata?.['lockkeeper:entry'] === 'line-worker')?.[0];
  return changed(template, ({ Properties = {} }) => {
    const reads = (Properties['FunctionName'] as { Ref?: string } | undefined)?.Ref;
    return reads === worker && reads !== undefined ? { ...Properties, ScalingConfig: { MaximumConcurrency: lines } } : undefined;
  });
}

/** The template with nothing reading the queues: for commands that only look, and must not set anything going. */
export const withoutWorkers = (template: Template): Template => changed(template, ({ Properties }) => ({ ...Properties, Enabled: false }));

function changed(template: Template, change: (mapping: Resource) => Readonly<Record<string, unknown>> | undefined): Template {
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const Properties = resource.Type === 'AWS::Lambda::EventSourceMapping' ? change(resource) : undefined;
    return [id, Properties === undefined ? resource : { ...resource, Properties }];
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}
