import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** Requests a second, and the burst above it, before a function is started: what an unsigned flood can cost at most. */
const throttle = { rateLimit: 50, burstLimit: 100 };

/** The one public address. Every route authenticates by the sender's signature over the raw body. */
export class LockkeeperApi extends Construct {
  /** Where GitHub sends webhooks, and Slack its interactions. */
  readonly urls: { readonly webhook: string; readonly slack: string };

  constructor(scope: Construct, id: string, { webhook, interaction }: { readonly webhook: IFunction; readonly interaction: IFunction }) {
    super(scope, id);
    const api = new HttpApi(this, 'Api', { description: 'Webhooks and interactions in', createDefaultStage: false });
    const post = (path: string, id: string, target: IFunction) =>
      api.addRoutes({ path, methods: [HttpMethod.POST], integration: new HttpLambdaIntegration(id, target) });
    const signed = [
      { routes: post('/webhooks/github', 'Github', webhook), sender: 'GitHub signs each delivery' },
      { routes: post('/slack/interactions', 'Slack', interaction), sender: 'Slack signs each interaction' },
    ];
    const log = new LogGroup(this, 'Log', { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: { destination: new LogGroupLogDestination(log), format: AccessLogFormat.custom(accessLine) },
    });
    for (const { routes, sender } of signed) {
      for (const route of routes) {
        Validations.of(route).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason: `${sender} with HMAC-SHA256 and cannot use IAM or a token; the function checks that signature over the raw body before it does anything else.`,
        });
      }
    }
    this.urls = { webhook: `${stage.url}webhooks/github`, slack: `${stage.url}slack/interactions` };
  }
}

/** No header and no query: neither is needed, and either could hold what must not be logged. */
const accessLine = JSON.stringify({
  at: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  ip: '$context.identity.sourceIp',
  milliseconds: '$context.responseLatency',
  request: '$context.requestId',
});
