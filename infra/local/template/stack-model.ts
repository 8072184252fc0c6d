import type { Identity, Resource, ResourceKind } from '../resources/kind.ts';
import { type Lookup, noValue, resolve } from './intrinsics.ts';
import { account, arn, type Place, region, stackName } from './place.ts';
import type { Declaration, Template } from './template.ts';
import { unsupported } from './unsupported.ts';

/** The template with every reference resolved against one place. */
export interface StackModel {
  /** Resources in template order, those of a false condition left out. */
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
  identity(logicalId: string): Identity;
  /** The resource whose ARN, name or Ref this is; a qualifier such as `:$LATEST` does not matter. */
  find(reference: string): Resource | undefined;
}

/**
 * Resolves a template.
 *
 * @throws LockkeeperError TEMPLATE_UNSUPPORTED with the logical id, for an unknown resource type, reference or attribute.
 */
export function modelOf(template: Template, kinds: ReadonlyMap<string, ResourceKind>, place: Place, parameters: Readonly<Record<string, string>>): StackModel {
  const identities = new Map<string, Identity>();
  const lookup = lookupIn(template, parameters, identity, place);
  const present = Object.entries(template.Resources).filter(([, declaration]) => !declaration.Condition || lookup.condition(declaration.Condition));

  function identity(id: string): Identity {
    const known = identities.get(id);
    if (known) return known;
    const declaration = template.Resources[id];
    if (!declaration) throw unsupported(id, 'something refers to it and the template does not declare it');
    const property = (name: string) => (declaration.Properties && name in declaration.Properties ? resolve(declaration.Properties[name], lookup) : undefined);
    const made = kindOf(id, declaration, kinds).identity({ id, type: declaration.Type, property }, place);
    identities.set(id, made);
    return made;
  }

  const resources = present.map(([id, declaration]) => resourceOf(id, declaration, kindOf(id, declaration, kinds), identity(id), lookup));
  const find = (reference: string) => {
    const bare = reference.replace(/:\$LATEST$/, '');
    return resources.find((one) => [one.identity.attribute('Arn'), one.identity.name, one.identity.ref].includes(bare));
  };
  const outputs = Object.entries(template.Outputs ?? {}).filter(([, output]) => !output.Condition || lookup.condition(output.Condition));
  return { resources, identity, find, outputs: Object.fromEntries(outputs.map(([name, output]) => [name, String(resolve(output.Value, lookup))])) };
}

function kindOf(id: string, declaration: Declaration, kinds: ReadonlyMap<string, ResourceKind>): ResourceKind {
  const kind = kinds.get(declaration.Type);
  if (!kind) throw unsupported(id, `the embedded stack does not know the resource type ${declaration.Type}`);
  return kind;
}

function resourceOf(id: string, declaration: Declaration, kind: ResourceKind, identity: Identity, lookup: Lookup): Resource {
  return {
    id,
    kind,
    identity,
    type: declaration.Type,
    metadata: declaration.Metadata ?? {},
    // An inert resource may use functions nobody here needs to understand.
    properties: kind.create ? (resolve(declaration.Properties ?? {}, lookup) as Record<string, unknown>) : {},
  };
}

function lookupIn(template: Template, parameters: Readonly<Record<string, string>>, identity: (id: string) => Identity, place: Place): Lookup {
  const pseudo: Readonly<Record<string, unknown>> = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
    'AWS::StackId': arn('cloudformation', `stack/${stackName}/local`),
    'AWS::NotificationARNs': [],
    'AWS::NoValue': noValue,
  };
  const lookup: Lookup = {
    ref(name) {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const parameter = template.Parameters?.[name];
      if (!parameter) return identity(name).ref;
      const value = parameters[name] ?? parameter.Default;
      if (value === undefined) throw unsupported(name, 'the parameter has no default and no value was given');
      return value;
    },
    attribute(id, name) {
      const value = identity(id).attribute(name);
      if (value === undefined) throw unsupported(id, `the embedded stack does not know its attribute ${name}`);
      return value;
    },
    condition(name) {
      const expression = template.Conditions?.[name];
      if (expression === undefined) throw unsupported(name, 'the template does not declare this condition');
      return resolve(expression, lookup) === true;
    },
    mapping(map, first, second) {
      const value = template.Mappings?.[map]?.[first]?.[second];
      if (value === undefined) throw unsupported(map, `the mapping holds no ${first}.${second}`);
      return value;
    },
    // CDK puts the URL of an HTTP API together from its id.
    located: (text) => text.replace(/https:\/\/[\w-]+\.execute-api\.[\w.-]+/g, place.http),
  };
  return lookup;
}
