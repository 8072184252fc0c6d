import { z } from 'zod';
import { functionBehind } from './function-behind.ts';
import { identityOf } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const properties = z.looseObject({ TargetFunctionArn: z.string() });
const pathOf = (id: string): string => `/_url/${id}`;

/** A function URL: a path of the one local port, whose rest is the path the function sees. */
export const functionUrl: ResourceKind = {
  types: ['AWS::Lambda::Url'],
  identity: ({ id }, place) => identityOf(id, id, { FunctionUrl: `${place.http}${pathOf(id)}/`, FunctionArn: id }),
  create(resource, parts) {
    const target = functionBehind(resource, properties.parse(resource.properties).TargetFunctionArn, parts);
    parts.routes.addUrl(pathOf(resource.id), target);
  },
};
