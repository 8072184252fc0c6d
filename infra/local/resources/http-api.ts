import { z } from 'zod';
import { unsupported } from '../template/unsupported.ts';
import { functionBehind } from './function-behind.ts';
import { identityOf } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const route = z.looseObject({ RouteKey: z.string(), Target: z.string() });
const integration = z.looseObject({ IntegrationType: z.literal('AWS_PROXY'), IntegrationUri: z.string(), PayloadFormatVersion: z.literal('2.0') });

/** The API itself is the local port. */
export const httpApi: ResourceKind = {
  types: ['AWS::ApiGatewayV2::Api'],
  identity: ({ id }, place) => identityOf(id, id, { ApiEndpoint: place.http, ApiId: id }),
  create: () => undefined,
};

/** Only `$default`, whose path is no part of the URL. */
export const httpStage: ResourceKind = {
  types: ['AWS::ApiGatewayV2::Stage'],
  identity: (declared) => identityOf(declared.id, String(declared.property('StageName') ?? '$default'), {}),
  create(resource) {
    if (resource.properties['StageName'] !== '$default') throw unsupported(resource.id, 'only the stage $default runs here');
  },
};

export const httpIntegration: ResourceKind = {
  types: ['AWS::ApiGatewayV2::Integration'],
  identity: ({ id }) => identityOf(id, id, { IntegrationId: id }),
  create(resource) {
    const { error } = integration.safeParse(resource.properties);
    if (error) throw unsupported(resource.id, 'only function integrations with payload format 2.0 run here');
  },
};

/** A route: method and path, or `$default`. */
export const httpRoute: ResourceKind = {
  types: ['AWS::ApiGatewayV2::Route'],
  identity: ({ id }) => identityOf(id, id, { RouteId: id }),
  create(resource, parts) {
    const { RouteKey, Target } = route.parse(resource.properties);
    const behind = parts.find(Target.replace(/^integrations\//, ''));
    if (behind?.type !== 'AWS::ApiGatewayV2::Integration') throw unsupported(resource.id, `its target ${Target} is no integration of this template`);
    parts.routes.addRoute(RouteKey, functionBehind(behind, integration.parse(behind.properties).IntegrationUri, parts));
  },
};
