import type { Declaration, Template } from './template/template.ts';

/** Hand-written templates for the tests of this folder. Each part is what CDK would synthesize, without what is inert here. */
export const templateOf = (...parts: readonly Readonly<Record<string, Declaration>>[]): Template => ({ Resources: Object.assign({}, ...parts) });

export interface FunctionParts {
  readonly timeoutSeconds?: number;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A function whose entry is its logical id in lower case. */
export const functionNamed = (id: string, { timeoutSeconds = 5, variables = {} }: FunctionParts = {}): Record<string, Declaration> => ({
  [id]: {
    Type: 'AWS::Lambda::Function',
    Metadata: { 'lockkeeper:entry': id.toLowerCase() },
    Properties: { Timeout: timeoutSeconds, Environment: { Variables: variables } },
  },
});

export interface QueueParts {
  readonly visibilitySeconds?: number;
  readonly batchSize?: number;
  readonly maximumConcurrency?: number;
  readonly maxReceiveCount?: number;
}

/** A queue `Jobs` with its dead-letter queue `JobsDead`, feeding the function. */
export function jobsFor(
  functionId: string,
  { visibilitySeconds = 1, batchSize = 10, maximumConcurrency = 5, maxReceiveCount = 5 }: QueueParts = {},
): Record<string, Declaration> {
  return {
    JobsDead: { Type: 'AWS::SQS::Queue' },
    Jobs: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: visibilitySeconds,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['JobsDead', 'Arn'] }, maxReceiveCount },
      },
    },
    JobsMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: batchSize,
        EventSourceArn: { 'Fn::GetAtt': ['Jobs', 'Arn'] },
        FunctionName: { Ref: functionId },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: maximumConcurrency },
      },
    },
  };
}

export const table: Record<string, Declaration> = {
  State: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    },
  },
};

export const bucket: Record<string, Declaration> = {
  Objects: { Type: 'AWS::S3::Bucket', Properties: { VersioningConfiguration: { Status: 'Enabled' } } },
};
